# Static libraries, or shared ones with BUILD_SHARED_LIBS: what they show and how they are named and found.
if(PROJECT_IS_TOP_LEVEL)
  option(BUILD_SHARED_LIBS "Build shared libraries instead of static ones" OFF)
endif()

# Installed libraries find each other beside themselves, and programs find them wherever the prefix is moved to.
if(BUILD_SHARED_LIBS AND NOT DEFINED CMAKE_INSTALL_RPATH)
  set(CMAKE_INSTALL_RPATH "$ORIGIN" "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()

# tapestry_make_shareable(TARGET): the library shows what public headers declare, which they say themselves.
function(tapestry_make_shareable target)
  if(NOT BUILD_SHARED_LIBS)
    return()
  endif()
  # Minor versions of 0 are incompatible, as the package's own version says.
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  # Never unloaded: threads that it has started, or that have used it, still execute its code when they end.
  target_link_options(${target} PRIVATE LINKER:-z,nodelete)
endfunction()
