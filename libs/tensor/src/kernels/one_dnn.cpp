#include "kernels/one_dnn.hpp"

#include <dlfcn.h>

namespace tapestry::kernels {

namespace {

// The functions of the OpenMP library that oneDNN was loaded with; both are null if it was built without.
struct OpenMp {
  int (*getThreads)() = find<int()>("omp_get_max_threads");
  void (*setThreads)(int) = find<void(int)>("omp_set_num_threads");

  template <class F>
  static F* find(const char* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
  }
};

const OpenMp& openMp() {
  static const OpenMp found;
  return found;
}

}  // namespace

OneThread::OneThread() noexcept : before_(openMp().getThreads != nullptr ? openMp().getThreads() : 1) {
  if (before_ != 1) openMp().setThreads(1);
}

OneThread::~OneThread() {
  if (before_ != 1) openMp().setThreads(before_);
}

}  // namespace tapestry::kernels
