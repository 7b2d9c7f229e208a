// Defines forEachPanel, by which one kernel is shared with workers that are idle, and HelpScope, which names
// them.
#pragma once

#include <cstddef>
#include <utility>

#include "tapestry/continuation/executor.hpp"

namespace tapestry::detail {

/// Whom the calling thread may ask for help; null for nobody.
inline constinit thread_local Executor* helpers = nullptr;

/// While it stands, kernels on this thread may share their work with these workers.
class HelpScope {
 public:
  explicit HelpScope(Executor* workers) noexcept : before_(std::exchange(helpers, workers)) {}
  HelpScope(const HelpScope&) = delete;
  HelpScope& operator=(const HelpScope&) = delete;
  ~HelpScope() { helpers = before_; }

 private:
  Executor* const before_;
};

using Panel = void (*)(const void* work, std::size_t index) noexcept;
void sharePanels(std::size_t count, Panel panel, const void* work) noexcept;

/// f(i) for each i < count, on this thread and on those that help: the caller claims the first one left, and
/// those who help the last. Returns when all have ended; nobody waits for a worker that has claimed nothing.
/// f must not throw. Not worth it for panels of less than some 5 us.
template <class F>
void forEachPanel(std::size_t count, const F& f) noexcept {
  static_assert(noexcept(f(std::size_t{})));
  if (count > 1 && helpers)
    return sharePanels(
        count, [](const void* work, std::size_t index) noexcept { (*static_cast<const F*>(work))(index); },
        &f);
  for (std::size_t i = 0; i < count; ++i) f(i);
}

}  // namespace tapestry::detail
