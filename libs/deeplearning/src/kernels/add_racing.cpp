#include <tapestry/deeplearning/kernels/add_racing.hpp>

namespace tapestry::kernels {

// What it does is what its callers have asked for, so that ThreadSanitizer need not tell.
template <class T>
__attribute__((no_sanitize("thread"))) void addRacing(T* target, const T* difference,
                                                      std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) target[i] += difference[i];
}

template void addRacing(float*, const float*, std::size_t) noexcept;
template void addRacing(double*, const double*, std::size_t) noexcept;

}  // namespace tapestry::kernels
