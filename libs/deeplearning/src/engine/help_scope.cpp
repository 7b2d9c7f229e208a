#include "tapestry/deeplearning/detail/pass/help_scope.hpp"

#include <atomic>
#include <memory>
#include <new>

#include "shared_parts.hpp"
#include "tapestry/continuation/extend/spin_wait.hpp"

namespace tapestry::detail {

namespace {

/// The parts of one call of share. A worker that comes late may outlive the call and finds no part to claim.
/// The caller claims from the front and workers from the back, so that a thread gets about the same parts in
/// each call and finds their data in its cache.
class Sharing : public SharedParts<std::atomic> {
 public:
  Sharing(std::size_t parts, Helpers::Part part, const void* work) noexcept
      : SharedParts(parts), part_(part), work_(work) {}

  /// Runs parts until none is left to claim. Calls before() before each claim.
  void run(End end, const auto& before) noexcept {
    for (std::size_t i; before(), claim(end, i); endOne()) part_(work_, i);
  }

 private:
  const Helpers::Part part_;
  const void* const work_;
};

/// A worker's share of the parts. Deletes itself when executed.
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

/// Offers a share to one worker. Returns false if no worker takes it or if there is no memory for it.
bool askForHelp(Executor& workers, const std::shared_ptr<Sharing>& sharing) noexcept {
  std::unique_ptr<Help> help(new (std::nothrow) Help(sharing));
  if (!help || !workers.offer(*help)) return false;
  static_cast<void>(help.release());
  return true;
}

}  // namespace

void ExecutorHelpers::share(std::size_t count, Part part, const void* work) noexcept try {
  const auto sharing = std::make_shared<Sharing>(count, part, work);
  std::size_t asked = 1;
  sharing->run(Sharing::End::first, [&] {
    while (asked < sharing->unclaimed() && workers_->idle() && askForHelp(*workers_, sharing)) ++asked;
  });
  // Each worker is running at most the one part that it claimed.
  for (extend::SpinWait wait; !sharing->allEnded();) wait.pause();
} catch (const std::bad_alloc&) {  // thrown by make_shared, before any part was claimed
  for (std::size_t i = 0; i < count; ++i) part(work, i);
}

}  // namespace tapestry::detail
