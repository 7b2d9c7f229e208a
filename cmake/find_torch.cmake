# Torch::Torch, if libtorch is there. Its own package sets flags for all that is compiled, and asks for the development
# files of all that it was built with; headers and two libraries are enough. In C++20, clang 16 does not compile the
# headers of libtorch 1.13.
if(NOT TARGET Torch::Torch AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_path(TAPESTRY_TORCH_HEADERS torch/torch.h PATH_SUFFIXES torch/csrc/api/include)
  find_library(TAPESTRY_TORCH_LIBRARY torch_cpu)
  find_library(TAPESTRY_TORCH_C10_LIBRARY c10)
  mark_as_advanced(TAPESTRY_TORCH_HEADERS TAPESTRY_TORCH_LIBRARY TAPESTRY_TORCH_C10_LIBRARY)
  if(TAPESTRY_TORCH_HEADERS AND TAPESTRY_TORCH_LIBRARY AND TAPESTRY_TORCH_C10_LIBRARY)
    add_library(Torch::Torch INTERFACE IMPORTED)
    target_include_directories(Torch::Torch SYSTEM INTERFACE "${TAPESTRY_TORCH_HEADERS}")
    target_link_libraries(Torch::Torch INTERFACE "${TAPESTRY_TORCH_LIBRARY}" "${TAPESTRY_TORCH_C10_LIBRARY}")
  endif()
endif()
