// Defines forEachPart, with which a kernel divides its work among threads, and Helpers, which supplies the
// threads.
#pragma once

#include <cstddef>
#include <utility>

#pragma GCC visibility push(default)
namespace tapestry {

/// Threads that may join in the work of a kernel. A program that wants large products and convolutions to use
/// several threads implements this interface; tapestry::deeplearning implements it on the executor of a run.
class Helpers {
 public:
  /// One part of some work; several parts may run at the same time on different threads.
  using Part = void (*)(const void* work, std::size_t index) noexcept;

  /// Calls part(work, i) exactly once for each i < count, on the calling thread and on any threads that join,
  /// and returns when all calls have ended. Must succeed if no other thread joins and if no memory can be
  /// allocated.
  virtual void share(std::size_t count, Part part, const void* work) noexcept = 0;

 protected:
  ~Helpers() = default;
};

namespace detail {
inline constinit thread_local Helpers* currentHelpers = nullptr;
}

/// While a HelperScope exists, kernels on the thread that made it may share their work with these helpers;
/// with nullptr they do not share. Scopes nest.
class [[nodiscard]] HelperScope {
 public:
  explicit HelperScope(Helpers* helpers) noexcept : before_(std::exchange(detail::currentHelpers, helpers)) {}
  HelperScope(const HelperScope&) = delete;
  HelperScope& operator=(const HelperScope&) = delete;
  ~HelperScope() { detail::currentHelpers = before_; }

 private:
  Helpers* const before_;
};

/// Returns whether a kernel on this thread may share its work.
inline bool hasHelpers() noexcept { return detail::currentHelpers != nullptr; }

/// Calls f(i) once for each i < count, on this thread and on the current helpers, and returns when all calls
/// have ended. f must not throw. A part should take at least some 5 us, the cost of waking a thread.
template <class F>
void forEachPart(std::size_t count, const F& f) noexcept {
  static_assert(noexcept(f(std::size_t{})));
  if (count > 1 && hasHelpers())
    return detail::currentHelpers->share(
        count, [](const void* work, std::size_t index) noexcept { (*static_cast<const F*>(work))(index); },
        &f);
  for (std::size_t i = 0; i < count; ++i) f(i);
}

}  // namespace tapestry
#pragma GCC visibility pop
