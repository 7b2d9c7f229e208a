#include "tapestry/deeplearning/detail/help_scope.hpp"

#include <atomic>
#include <memory>
#include <new>
#include <thread>

namespace tapestry::detail {

namespace {

/// Of one call of sharePanels; outlives it where a worker comes late. Then there is nothing left to claim.
struct Sharing {
  Sharing(std::size_t panels, Panel function, const void* argument) noexcept
      : count(panels), panel(function), work(argument) {}

  void run() noexcept {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
      panel(work, i);
      // release: whoever sees that all have ended sees what they wrote
      ended.fetch_add(1, std::memory_order_release);
    }
  }

  const std::size_t count;
  const Panel panel;
  const void* const work;
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> ended{0};
};

/// Owns itself.
class Help final : public Task {
 public:
  explicit Help(std::shared_ptr<Sharing> sharing) noexcept : sharing_(std::move(sharing)) {}
  void execute() noexcept override {
    const auto sharing = std::move(sharing_);
    delete this;
    sharing->run();
  }

 private:
  std::shared_ptr<Sharing> sharing_;
};

/// False where nobody helps, for lack of memory too: some may be at work already.
bool ask(Executor& workers, const std::shared_ptr<Sharing>& sharing) noexcept {
  std::unique_ptr<Help> help(new (std::nothrow) Help(sharing));
  if (!help || !workers.offer(*help)) return false;
  static_cast<void>(help.release());
  return true;
}

}  // namespace

void sharePanels(std::size_t count, Panel panel, const void* work) {
  const auto sharing = std::make_shared<Sharing>(count, panel, work);
  for (std::size_t asked = 1; asked < count && helpers->idle() && ask(*helpers, sharing);) ++asked;
  sharing->run();
  // what others have claimed is under way: at most one panel each
  while (sharing->ended.load(std::memory_order_acquire) < count) std::this_thread::yield();
}

}  // namespace tapestry::detail
