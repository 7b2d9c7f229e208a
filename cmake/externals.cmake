# What pkg-config and Debian call the targets of third parties that libraries link.

# tapestry_external(TARGET [REQUIRES module...] [LIBS flag...] [DEBIAN package...]): a library that links TARGET
# requires these modules of pkg-config, or links these flags, and its package depends on these packages of Debian 12.
function(tapestry_external target)
  cmake_parse_arguments(ARG "" "" "REQUIRES;LIBS;DEBIAN" ${ARGN})
  foreach(kind REQUIRES LIBS DEBIAN)
    set_property(GLOBAL PROPERTY TAPESTRY_EXTERNAL_${kind}_${target} ${ARG_${kind}})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TAPESTRY_EXTERNALS ${target})
endfunction()

tapestry_external(Threads::Threads LIBS -pthread)
tapestry_external("${CMAKE_DL_LIBS}" LIBS -ldl)
tapestry_external(gomp LIBS -lgomp)
tapestry_external(Boost::headers DEBIAN libboost1.81-dev)
tapestry_external(Boost::context LIBS -lboost_context DEBIAN libboost-context1.81-dev)
tapestry_external(xtensor REQUIRES xtensor DEBIAN libxtensor-dev)
tapestry_external(hwy::hwy REQUIRES libhwy DEBIAN libhwy-dev)
tapestry_external(OpenBLAS::OpenBLAS REQUIRES openblas DEBIAN libopenblas-pthread-dev)
tapestry_external(DNNL::dnnl LIBS -ldnnl DEBIAN libdnnl-dev)
tapestry_external(ZLIB::ZLIB REQUIRES zlib DEBIAN zlib1g-dev)
tapestry_external(PNG::PNG REQUIRES libpng DEBIAN libpng-dev)
tapestry_external(OpenCL::OpenCL REQUIRES OpenCL DEBIAN ocl-icd-opencl-dev)
tapestry_external(clblast REQUIRES clblast DEBIAN libclblast-dev)
tapestry_external(MPI::MPI_CXX REQUIRES mpi-c DEBIAN libopenmpi-dev)

# Sets RESULT to those of the LINKS that this system's users of an installed copy have, without conditions around them.
function(_tapestry_installed_links result)
  set(kept)
  foreach(link IN LISTS ARGN)
    if(link MATCHES "^\\$<(BUILD_INTERFACE|LINK_ONLY):")
      continue()
    elseif(link MATCHES "^\\$<\\$<PLATFORM_ID:([A-Za-z]+)>:(.*)>$")
      if(CMAKE_SYSTEM_NAME STREQUAL CMAKE_MATCH_1)
        list(APPEND kept "${CMAKE_MATCH_2}")
      endif()
    elseif(link MATCHES "^\\$<")
      message(FATAL_ERROR "a library links ${link}, expected a condition that cmake/externals.cmake understands")
    elseif(link)
      list(APPEND kept "${link}")
    endif()
  endforeach()
  set(${result} ${kept} PARENT_SCOPE)
endfunction()

# Sets RESULT to what TARGET links, without what it links in its own build alone: ${RESULT}_public, which its users
# compile against, and ${RESULT}_private.
function(tapestry_links_of target result)
  get_target_property(interface ${target} INTERFACE_LINK_LIBRARIES)
  get_target_property(all ${target} LINK_LIBRARIES)  # of no interface target
  _tapestry_installed_links(interface ${interface})
  _tapestry_installed_links(all ${all})
  list(REMOVE_ITEM all ${interface} "")
  set(${result}_public ${interface} PARENT_SCOPE)
  set(${result}_private ${all} PARENT_SCOPE)
endfunction()

# Sets RESULT to the REQUIRES, LIBS or DEBIAN of a target of a third party.
function(tapestry_external_property target kind result)
  get_property(known GLOBAL PROPERTY TAPESTRY_EXTERNALS)
  if(NOT target IN_LIST known)
    message(FATAL_ERROR "a library links ${target}, expected ours or a target of cmake/externals.cmake")
  endif()
  get_property(value GLOBAL PROPERTY TAPESTRY_EXTERNAL_${kind}_${target})
  set(${result} ${value} PARENT_SCOPE)
endfunction()
