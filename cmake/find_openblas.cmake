# OpenBLAS::OpenBLAS, if OpenBLAS is there. Its own package, which not all systems have, sets variables and no target,
# and that of Debian 13 names folders that do not exist. In Fedora, openblasp is what several threads may call.
if(NOT TARGET OpenBLAS::OpenBLAS AND NOT CMAKE_DISABLE_FIND_PACKAGE_OpenBLAS)
  find_package(OpenBLAS CONFIG QUIET)
  if(NOT OpenBLAS_FOUND OR NOT EXISTS "${OpenBLAS_INCLUDE_DIRS}/openblas_config.h")
    find_path(TAPESTRY_OPENBLAS_HEADERS openblas_config.h PATH_SUFFIXES openblas-pthread openblas)
    find_library(TAPESTRY_OPENBLAS_LIBRARY NAMES openblasp openblas PATH_SUFFIXES openblas-pthread)
    mark_as_advanced(TAPESTRY_OPENBLAS_HEADERS TAPESTRY_OPENBLAS_LIBRARY)
    set(OpenBLAS_FOUND FALSE)
    if(TAPESTRY_OPENBLAS_HEADERS AND TAPESTRY_OPENBLAS_LIBRARY)
      set(OpenBLAS_FOUND TRUE)
      set(OpenBLAS_INCLUDE_DIRS "${TAPESTRY_OPENBLAS_HEADERS}")
      set(OpenBLAS_LIBRARIES "${TAPESTRY_OPENBLAS_LIBRARY}")
    endif()
  endif()
  if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
    add_library(OpenBLAS::OpenBLAS INTERFACE IMPORTED)
    set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIRS}"
      INTERFACE_LINK_LIBRARIES "${OpenBLAS_LIBRARIES}")
  endif()
endif()
