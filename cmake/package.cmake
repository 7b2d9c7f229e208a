# The package that find_package(tapestry CONFIG COMPONENTS ...) finds. It belongs to the component that all others need.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tapestry)

write_basic_package_version_file("${PROJECT_BINARY_DIR}/tapestryConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES cmake/tapestryConfig.cmake "${PROJECT_BINARY_DIR}/tapestryConfigVersion.cmake"
        DESTINATION ${package_dir} COMPONENT continuation)
include("${CMAKE_CURRENT_LIST_DIR}/externals.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/pkg_config.cmake")
if(PROJECT_IS_TOP_LEVEL)
  include("${CMAKE_CURRENT_LIST_DIR}/debian.cmake")
endif()
if(TAPESTRY_BUILD_DEEPLEARNING)
  # An installed library needs what it was built with.
  set(used)
  if(TARGET OpenBLAS::OpenBLAS)
    list(APPEND used cmake/find_openblas.cmake)
  endif()
  if(TARGET DNNL::dnnl)
    list(APPEND used cmake/find_dnnl.cmake)
  endif()
  install(FILES ${used} DESTINATION ${package_dir} COMPONENT tensor)
endif()
# For users who compile coroutines with g++ 12.
install(PROGRAMS scripts/check_awaits DESTINATION ${CMAKE_INSTALL_DATADIR}/tapestry COMPONENT continuation)
