# How everything in this build tree is compiled: the language, ccache, -march and the sanitizers. A project that adds
# this one as a part of itself decides all but the language.
set(CMAKE_CXX_EXTENSIONS OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set_property(GLOBAL PROPERTY USE_FOLDERS ON)
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TAPESTRY_CCACHE ccache)
  mark_as_advanced(TAPESTRY_CCACHE)
  if(TAPESTRY_CCACHE)
    # What one clone of the project has compiled, no other clone compiles again, but for builds with -g alone.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_ABSSTDERR=1 "${TAPESTRY_CCACHE}")
  endif()
endif()

# Names of files in messages begin at the project's folder, also where ccache names a file from the build folder. So do
# those in reports of sanitizers, but for the types that UndefinedBehaviorSanitizer names. Debuggers need whole paths.
if(PROJECT_IS_TOP_LEVEL)
  set(names macro)
  if(TAPESTRY_SANITIZE)
    set(names file)
  endif()
  cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_BINARY_DIR}" OUTPUT_VARIABLE source)
  add_compile_options("-f${names}-prefix-map=${PROJECT_SOURCE_DIR}/=" "-f${names}-prefix-map=${source}/=")
  if(TAPESTRY_SANITIZE)
    add_compile_options("-ffile-prefix-map=${PROJECT_BINARY_DIR}=.")
  endif()
endif()

# mold links these programs in a fifth of the time of ld.
if(PROJECT_IS_TOP_LEVEL)
  find_program(TAPESTRY_MOLD mold)
  mark_as_advanced(TAPESTRY_MOLD)
  if(TAPESTRY_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()

if(TAPESTRY_MARCH)
  add_compile_options("-march=${TAPESTRY_MARCH}")
endif()

if(TAPESTRY_SANITIZE)
  add_compile_options("-fsanitize=${TAPESTRY_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options("-fsanitize=${TAPESTRY_SANITIZE}")
endif()
