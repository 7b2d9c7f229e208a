# tapestry_warnings: the warnings of this project's own sources; never exported.
add_library(tapestry_warnings INTERFACE)

if(NOT TAPESTRY_WARNINGS)
  return()
endif()
target_compile_options(tapestry_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Woverloaded-virtual -Wnon-virtual-dtor -Wextra-semi -Wold-style-cast
  $<$<BOOL:${TAPESTRY_WERROR}>:-Werror>)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The warnings that are no errors here follow values through inlined code, and g++ 12 also reports impossible
  # cases; -Wrestrict does so for every "text" + string.
  target_compile_options(tapestry_warnings INTERFACE
    -Wduplicated-cond -Wlogical-op -Wno-restrict
    -Wno-error=maybe-uninitialized -Wno-error=dangling-pointer -Wno-error=array-bounds -Wno-error=stringop-overflow
    -Wno-error=stringop-overread -Wno-error=free-nonheap-object -Wno-error=use-after-free)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND TAPESTRY_SANITIZE MATCHES "thread")
  target_compile_options(tapestry_warnings INTERFACE -Wno-tsan)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  # std::stable_sort of libstdc++ 12 calls deprecated functions of its own, which clang reports since 19.
  target_compile_options(tapestry_warnings INTERFACE -Wno-error=deprecated-declarations)
endif()
