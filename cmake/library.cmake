# tapestry_library(NAME [SOURCES glob...] [HEADERS path...] [NOT_HEADERS path...] [LINK target...]
#                  [COMPONENT name] DESCRIPTION text)
#
# Defines the target tapestry_NAME, alias tapestry::NAME, of the library in the current directory: a library of the
# SOURCES, static or shared, or an interface target without them. The SOURCES that every program needs come first, since
# the linker mold takes inline functions of the standard library from the first object that has them. HEADERS names the
# folders and files under include/tapestry that are its public headers, NOT_HEADERS those among them that belong to
# another target. It is installed as the component NAME, or as part of the COMPONENT. Packages show the DESCRIPTION, one
# line.
function(tapestry_library name)
  cmake_parse_arguments(ARG "" "COMPONENT;DESCRIPTION" "SOURCES;HEADERS;NOT_HEADERS;LINK" ${ARGN})
  set(target tapestry_${name})
  set(include "${CMAKE_CURRENT_SOURCE_DIR}/include")

  set(sources)
  foreach(pattern IN LISTS ARG_SOURCES)
    file(GLOB files CONFIGURE_DEPENDS LIST_DIRECTORIES OFF ${pattern})
    list(APPEND sources ${files})
  endforeach()
  list(REMOVE_DUPLICATES sources)
  if(sources)
    add_library(${target} ${sources})
    tapestry_make_shareable(${target})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tapestry_warnings>)
    # The files of a folder at a time: most of what a file costs are the headers that it includes. g++ takes them for
    # headers, in whose anonymous namespaces it suspects mistakes.
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    foreach(source IN LISTS sources)
      cmake_path(GET source PARENT_PATH folder)
      cmake_path(GET folder FILENAME folder)
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${folder})
    endforeach()
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(tapestry::${name} ALIAS ${target})

  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${include}/tapestry" "${include}/tapestry/*.hpp")
  list(JOIN ARG_HEADERS "|" paths)
  list(FILTER headers INCLUDE REGEX "^(${paths})(/|$)")
  if(ARG_NOT_HEADERS)
    list(JOIN ARG_NOT_HEADERS "|" paths)
    list(FILTER headers EXCLUDE REGEX "^(${paths})(/|$)")
  endif()
  list(TRANSFORM headers PREPEND "${include}/tapestry/")

  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${include}" FILES ${headers})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${ARG_LINK})

  set(component ${name})
  if(ARG_COMPONENT)
    set(component ${ARG_COMPONENT})
  endif()
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name} TAPESTRY_COMPONENT ${component} TAPESTRY_DESCRIPTION "${ARG_DESCRIPTION}")
  set_property(GLOBAL APPEND PROPERTY TAPESTRY_LIBRARIES ${name})
  if(NOT TAPESTRY_INSTALL)
    return()
  endif()
  install(TARGETS ${target} EXPORT tapestry-${component}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${component})
  if(component STREQUAL name)
    install(EXPORT tapestry-${component} NAMESPACE tapestry:: FILE tapestry-${component}-targets.cmake
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tapestry COMPONENT ${component})
  endif()
endfunction()
