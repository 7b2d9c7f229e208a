# Runs the tests of MPI on several ranks: all cases in one process for each rank. ctest runs each case on one rank, too.
execute_process(COMMAND "${MPIEXEC_EXECUTABLE}" --version OUTPUT_VARIABLE mpiexec_version ERROR_QUIET)
set(mpirun "${MPIEXEC_EXECUTABLE}")
if(mpiexec_version MATCHES "Open MPI|OpenRTE")
  # More ranks than cores, and by root in containers.
  list(APPEND mpirun --allow-run-as-root --oversubscribe)
endif()

# tapestry_test_ranks(NAME RANKS THREADS command...)
function(tapestry_test_ranks name ranks threads)
  add_test(NAME ${name} COMMAND ${mpirun} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 120 LABELS mpi PROCESSORS 2
    ENVIRONMENT "TAPESTRY_TEST_MPI_THREADS=${threads}")
endfunction()

foreach(ranks 2 4)
  foreach(threads multiple serialized funneled)
    tapestry_test_ranks(mpi/${ranks}_ranks_${threads} ${ranks} ${threads} $<TARGET_FILE:test_distributed_mpi>)
  endforeach()
endforeach()
# An odd number of ranks, of which some have no share of the last examples.
tapestry_test_ranks(mpi/3_ranks_multiple 3 multiple $<TARGET_FILE:test_distributed_mpi>)

# The errors of calls without MPI, alone and among ranks.
add_executable(mpi_lifetime distributed/mpi/lifetime.cpp)
target_link_libraries(mpi_lifetime PRIVATE tapestry::distributed tapestry_warnings)
add_test(NAME mpi/lifetime_alone COMMAND mpi_lifetime)
add_test(NAME mpi/lifetime_of_2_ranks COMMAND ${mpirun} ${MPIEXEC_NUMPROC_FLAG} 2 $<TARGET_FILE:mpi_lifetime>)
set_tests_properties(mpi/lifetime_alone mpi/lifetime_of_2_ranks PROPERTIES TIMEOUT 60 LABELS mpi
  ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
# As if the mpirun of another MPI had started two processes.
set(of_another OMPI_COMM_WORLD_SIZE)
if(mpiexec_version MATCHES "Open MPI|OpenRTE")
  set(of_another PMI_SIZE)
endif()
add_test(NAME mpi/lifetime_by_another_mpirun COMMAND mpi_lifetime ${of_another})
set_tests_properties(mpi/lifetime_by_another_mpirun PROPERTIES TIMEOUT 60 LABELS mpi
  ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;${of_another}=2")

# A rank that is killed, hangs or ends early. Both mpirun of Open MPI and mpiexec of MPICH would end all ranks when one
# is killed or ends without MPI_Finalize.
add_executable(mpi_lost_rank distributed/mpi/lost_rank.cpp)
target_link_libraries(mpi_lost_rank PRIVATE tapestry::distributed tapestry_warnings)
set(gone kill traverse forward backward leave)
foreach(how ${gone} hang busy stuck ahead)
  set(by ${mpirun})
  set(kept)
  if(how IN_LIST gone AND mpiexec_version MATCHES "Open MPI|OpenRTE")
    list(APPEND by --enable-recovery)
  elseif(how IN_LIST gone AND mpiexec_version MATCHES "HYDRA")
    list(APPEND by -disable-auto-cleanup)
    set(kept "${CMAKE_CURRENT_SOURCE_DIR}/distributed/mpi/keep_ranks.sh")
  endif()
  set(text "rank 1 did not come")
  if(how STREQUAL "traverse")
    set(text "rank 1 .*\\(was not heard from\\|did not come\\)")
  elseif(how STREQUAL "leave")
    set(text "rank 1 has left before allReduce")
  endif()
  set(sizes 2 3)
  if(how STREQUAL "ahead")
    set(sizes 6)  # so many that a broadcast has ranks which pass it on
  endif()
  foreach(ranks IN LISTS sizes)
    add_test(NAME mpi/${how}_1_of_${ranks}
      COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/distributed/mpi/lose_rank.sh" ${how} ${ranks}
      ${text} ${by} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${kept} $<TARGET_FILE:mpi_lost_rank>)
    # the operations that were given up keep their memory
    set_tests_properties(mpi/${how}_1_of_${ranks} PROPERTIES TIMEOUT 120 LABELS mpi PROCESSORS 2
      ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
  endforeach()
endforeach()
