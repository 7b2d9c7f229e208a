# DNNL::dnnl, if oneDNN is there. Debian's oneDNN has an OpenCL engine, so its package insists on OpenCL's development
# files. Only its CPU engine is used here, which includes no header of OpenCL, and the library itself comes with oneDNN.
# Other packages do not find these substitutes.
if(NOT TARGET DNNL::dnnl)
  find_path(TAPESTRY_OPENCL_HEADERS CL/cl.h)
  find_library(TAPESTRY_OPENCL_LIBRARY NAMES OpenCL libOpenCL.so.1)
  mark_as_advanced(TAPESTRY_OPENCL_HEADERS TAPESTRY_OPENCL_LIBRARY)
  block()
    if(NOT TAPESTRY_OPENCL_HEADERS AND TAPESTRY_OPENCL_LIBRARY)
      set(OpenCL_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}")
      set(OpenCL_LIBRARY "${TAPESTRY_OPENCL_LIBRARY}")
      set(OpenCL_FIND_QUIETLY ON)
    endif()
    find_package(dnnl CONFIG QUIET)
  endblock()
endif()
