# OpenBLAS::OpenBLAS, from OpenBLAS's own package, which sets variables and, as Debian builds it, no target.
if(NOT TARGET OpenBLAS::OpenBLAS)
  find_package(OpenBLAS CONFIG REQUIRED)
endif()
if(NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS INTERFACE IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIRS}"
    INTERFACE_LINK_LIBRARIES "${OpenBLAS_LIBRARIES}")
endif()
