// doctest's own main(), compiled once for all groups of tests.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
/// What the platform of OpenCL, the compiler in it, and Open MPI keep until the end of the process is not
/// the library's.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT: the sanitizer's name
  return "leak:libpocl\nleak:libLLVM\nleak:libclang-cpp\nleak:libOpenCL\nleak:libclblast\n"
         "leak:libopen-pal\nleak:libopen-rte\nleak:libmpi\nleak:mca_\nleak:libpmix\nleak:libhwloc\n"
         // plugins of Open MPI, which are unloaded at its end, and what they print
         "leak:<unknown module>\nleak:vasprintf\n";
}
#endif
#endif
