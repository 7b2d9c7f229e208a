#include "tapestry/deeplearning/detail/help_scope.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <thread>

namespace tapestry::detail {

namespace {

/// Of one call of sharePanels; outlives it where a worker comes late. Then there is nothing left to claim.
/// The caller claims the first panels and those who help the last, so that a thread has about the same ones
/// in each call, and what these read and write is in its cache.
class Sharing {
 public:
  enum class End { first, last };

  Sharing(std::size_t panels, Panel panel, const void* work) noexcept
      : count_(panels), panel_(panel), work_(work), unclaimed_({0, static_cast<std::uint32_t>(panels)}) {}

  /// Calls before() before each panel.
  void run(End end, const auto& before) noexcept {
    for (std::size_t i; before(), claim(end, i);) {
      panel_(work_, i);
      // release: whoever sees that all have ended sees what they wrote
      ended_.fetch_add(1, std::memory_order_release);
    }
  }

  std::size_t unclaimed() const noexcept {
    const Range range = unclaimed_.load(std::memory_order_relaxed);
    return range.end - range.begin;
  }
  bool ended() const noexcept { return ended_.load(std::memory_order_acquire) == count_; }

 private:
  struct Range {
    std::uint32_t begin, end;
  };

  bool claim(End end, std::size_t& panel) noexcept {
    Range before = unclaimed_.load(std::memory_order_relaxed);
    for (;;) {
      if (before.begin == before.end) return false;
      Range after = before;
      panel = end == End::first ? after.begin++ : --after.end;
      if (unclaimed_.compare_exchange_weak(before, after, std::memory_order_relaxed)) return true;
    }
  }

  const std::size_t count_;
  const Panel panel_;
  const void* const work_;
  std::atomic<Range> unclaimed_;
  std::atomic<std::size_t> ended_{0};
};

/// Owns itself.
class Help final : public Task {
 public:
  explicit Help(std::shared_ptr<Sharing> sharing) noexcept : sharing_(std::move(sharing)) {}
  void execute() noexcept override {
    const auto sharing = std::move(sharing_);
    delete this;
    sharing->run(Sharing::End::last, [] {});
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

void sharePanels(std::size_t count, Panel panel, const void* work) noexcept try {
  const auto sharing = std::make_shared<Sharing>(count, panel, work);
  std::size_t asked = 1;
  sharing->run(Sharing::End::first, [&] {
    while (asked < sharing->unclaimed() && helpers->idle() && ask(*helpers, sharing)) ++asked;
  });
  // what others have claimed is under way: at most one panel each
  while (!sharing->ended()) std::this_thread::yield();
} catch (const std::bad_alloc&) {  // by the first line, before anything was claimed
  for (std::size_t i = 0; i < count; ++i) panel(work, i);
}

}  // namespace tapestry::detail
