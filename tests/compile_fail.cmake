# Each compile_fail/NAME.cpp as the test compile_fail/NAME. The header of all of a library
# is compiled once, before them, since reading it takes longer than all else that a test does.
set(compile "${CMAKE_CXX_COMPILER}" -std=c++20 -fdiagnostics-color=never -Wall -Werror
  "-I${PROJECT_SOURCE_DIR}/libs/continuation/include" "-I${PROJECT_SOURCE_DIR}/libs/raii/include"
  "-I${PROJECT_SOURCE_DIR}/libs/concurrent/include" "-I${PROJECT_SOURCE_DIR}/libs/tensor/include"
  "-I${PROJECT_SOURCE_DIR}/libs/deeplearning/include")
set(precompiled_suffix gch)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  list(APPEND compile -ferror-limit=0)  # else it tells the first twenty of a file
  set(precompiled_suffix pch)
endif()

set(precompiled)
foreach(library IN ITEMS continuation raii concurrent deeplearning)
  set(header "${CMAKE_CURRENT_BINARY_DIR}/compile_fail/${library}.hpp")
  file(CONFIGURE OUTPUT "${header}" CONTENT "#include \"tapestry/${library}.hpp\"\n")
  add_custom_command(OUTPUT "${header}.${precompiled_suffix}"
    COMMAND ${compile} -x c++-header "${header}" -o "${header}.${precompiled_suffix}"
      -MD -MT "${header}.${precompiled_suffix}" -MF "${header}.d"
    DEPENDS "${header}" DEPFILE "${header}.d" COMMENT "Precompiling tapestry/${library}.hpp" VERBATIM)
  list(APPEND precompiled "${header}.${precompiled_suffix}")
endforeach()
add_custom_target(tapestry_compile_fail_headers ALL DEPENDS ${precompiled})

file(GLOB sources CONFIGURE_DEPENDS compile_fail/*.cpp)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  if(name MATCHES "^clang_" AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    continue()  # a warning that g++ does not have
  endif()
  set(header)
  file(STRINGS "${source}" option REGEX "^// expect-with: ")  # a header that was compiled without the option is no use
  if(NOT option)
    foreach(library IN ITEMS continuation raii concurrent deeplearning)
      file(STRINGS "${source}" included REGEX "^#include \"tapestry/${library}[./]")
      if(included)
        set(header -include "${CMAKE_CURRENT_BINARY_DIR}/compile_fail/${library}.hpp")
      endif()
    endforeach()
  endif()
  add_test(NAME compile_fail/${name}
    COMMAND "${PROJECT_SOURCE_DIR}/cmake/expect_compile_error.sh" "${source}" ${compile} ${header} -fsyntax-only)
  set_tests_properties(compile_fail/${name} PROPERTIES TIMEOUT 120 LABELS compile_fail)
endforeach()
add_test(NAME scripts/expect_compile_error_finds
  COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/expect_compile_error_finds.sh" "${PROJECT_SOURCE_DIR}"
    "${CMAKE_CXX_COMPILER}")
set_tests_properties(scripts/expect_compile_error_finds PROPERTIES TIMEOUT 60 LABELS scripts)
