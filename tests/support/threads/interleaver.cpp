#include "support/threads/interleaver.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <semaphore>
#include <thread>
#include <utility>

#include "support/sanitizers.hpp"

namespace tapestry::test {

namespace {

/// Thrown from the waits of the other threads after a violation, to end them.
struct Abandoned {};

/// Decides which of several threads makes the next step.
class Choices {
 public:
  virtual ~Choices() = default;
  /// Returns an index into `options`, which has at least two elements. `current` is the thread of the last
  /// step, if it can continue.
  virtual std::size_t choose(const std::vector<std::size_t>& options, std::optional<std::size_t> current) = 0;
};

class RandomChoices final : public Choices {
 public:
  explicit RandomChoices(std::uint64_t seed) : random_(seed) {}
  std::size_t choose(const std::vector<std::size_t>& options, std::optional<std::size_t>) override {
    return random_() % options.size();
  }

 private:
  std::mt19937_64 random_;
};

/// Depth first: each schedule repeats the last up to its last choice that had another option.
class AllChoices final : public Choices {
 public:
  explicit AllChoices(unsigned preemptions) : preemptions_(preemptions) {}

  std::size_t choose(const std::vector<std::size_t>& options, std::optional<std::size_t> current) override {
    std::size_t keep = options.size();
    if (current) {
      keep = static_cast<std::size_t>(std::ranges::find(options, *current) - options.begin());
      if (used_ == preemptions_) return keep;
    }
    if (depth_ == taken_.size()) taken_.push_back({0, options.size()});
    const std::size_t order = taken_[depth_++].chosen;
    if (!current) return order;
    if (order > 0) ++used_;
    // order 0 continues the current thread; the other threads follow in order
    return order == 0 ? keep : order - (order <= keep ? 1 : 0);
  }

  /// False when there is no other schedule.
  bool next() {
    depth_ = used_ = 0;
    while (!taken_.empty() && ++taken_.back().chosen == taken_.back().options) taken_.pop_back();
    return !taken_.empty();
  }

 private:
  struct Choice {
    std::size_t chosen;
    std::size_t options;
  };
  const unsigned preemptions_;
  std::vector<Choice> taken_;
  std::size_t depth_ = 0;
  unsigned used_ = 0;
};

/// Keeps the calling thread, and the threads that it starts, on one processor while it lives. A thread that
/// gets the turn continues at once there, whereas an idle processor must be woken for it.
class OneProcessor {
 public:
  OneProcessor() noexcept : isKept_(::sched_getaffinity(0, sizeof before_, &before_) == 0) {
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(static_cast<std::size_t>(std::max(::sched_getcpu(), 0)), &here);
    if (isKept_) ::sched_setaffinity(0, sizeof here, &here);
  }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;
  ~OneProcessor() {
    if (isKept_) ::sched_setaffinity(0, sizeof before_, &before_);
  }

 private:
  cpu_set_t before_;
  const bool isKept_;
};

/// Real threads, of which one at a time runs: after a step, a thread hands over to the next thread.
class Stage {
 public:
  Stage(Model& model, Choices& choices, std::string how) : choices_(choices), how_(std::move(how)) {
    for (auto& work : model.threads()) actors_.push_back(std::make_unique<Actor>(std::move(work)));
    unfinished_ = actors_.size();
  }

  /// Returns the first exception of the threads, or null.
  std::exception_ptr run() {
    for (std::size_t i = 0; i < actors_.size(); ++i) actors_[i]->thread = std::thread([this, i] { act(i); });
    handOver(std::nullopt);
    done_.acquire();
    for (auto& actor : actors_) actor->thread.join();
    return failure_;
  }

  const std::vector<std::size_t>& steps() const noexcept { return steps_; }

  static Stage* current() noexcept { return current_; }
  const void* currentActor() const noexcept { return actors_[self_].get(); }

  void point() {
    if (!handOver(self_)) pause();
  }
  void wait(const std::function<bool()>& condition, bool canBeAbandoned) {
    Actor& actor = *actors_[self_];
    actor.condition = &condition;
    actor.canBeAbandoned = canBeAbandoned;
    if (!handOver(std::nullopt)) pause();
    if (failure_ && canBeAbandoned) throw Abandoned();
  }

 private:
  struct Actor {
    explicit Actor(std::function<void()> f) : work(std::move(f)) {}
    std::function<void()> work;
    std::binary_semaphore turn{0};
    std::thread thread;
    const std::function<bool()>* condition = nullptr;  ///< what it waits for
    bool canBeAbandoned = false;                       ///< whether it may leave the wait by an exception
    bool finished = false;
  };

  void act(std::size_t index) {
    current_ = this;
    self_ = index;
    pause();
    try {
      actors_[index]->work();
    } catch (const Abandoned&) {
    } catch (...) {
      fail(std::current_exception());
    }
    actors_[index]->finished = true;
    if (--unfinished_ == 0) return done_.release();
    handOver(std::nullopt);
  }

  void fail(const std::exception_ptr& error) {
    if (!failure_) failure_ = error;
  }

  /// Gives the turn to the next thread; returns true if that is the calling thread, which need not pause.
  bool handOver(std::optional<std::size_t> current) {
    const Actor* const caller = current_ && !actors_[self_]->finished ? actors_[self_].get() : nullptr;
    std::vector<std::size_t> options;
    for (std::size_t i = 0; i < actors_.size(); ++i) {
      const Actor& actor = *actors_[i];
      if (actor.finished) continue;
      if (!actor.condition || (failure_ && actor.canBeAbandoned) || (*actor.condition)())
        options.push_back(i);
    }
    if (options.empty() || steps_.size() > limit_) {
      if (failure_) giveUp();
      fail(std::make_exception_ptr(std::logic_error(options.empty() ? "deadlock" : "no end")));
      limit_ += steps_.size();
      return handOver(current);
    }
    std::size_t chosen = steps_.size() % options.size();
    if (options.size() == 1)
      chosen = 0;
    else if (!failure_)
      chosen = choices_.choose(options, current);
    Actor& next = *actors_[options[chosen]];
    next.condition = nullptr;
    steps_.push_back(options[chosen]);
    if (&next == caller) return true;
    next.turn.release();
    return false;
  }

  /// Waits for the turn of the calling thread.
  void pause() { actors_[self_]->turn.acquire(); }

  /// What has failed is in the middle of functions that must not throw.
  [[noreturn]] void giveUp() {
    try {
      std::rethrow_exception(failure_);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "an interleaving has failed, and its threads cannot end: %s (%s)\n", error.what(),
                   how_.c_str());
    }
    std::abort();
  }

  static thread_local Stage* current_;
  static thread_local std::size_t self_;

  Choices& choices_;
  const std::string how_;
  std::vector<std::unique_ptr<Actor>> actors_;
  std::vector<std::size_t> steps_;
  std::size_t unfinished_ = 0;
  std::size_t limit_ = 100'000;
  std::exception_ptr failure_;
  std::binary_semaphore done_{0};
};

thread_local Stage* Stage::current_ = nullptr;
thread_local std::size_t Stage::self_ = 0;

void runOne(const MakeModel& make, Choices& choices, const std::string& how) {
  const std::unique_ptr<Model> model = make();
  Stage stage(*model, choices, how);
  try {
    if (const auto failure = stage.run()) std::rethrow_exception(failure);
    model->check();
  } catch (const std::exception& error) {
    throw Violation(error.what(), how, stage.steps());
  }
}

/// Builds without sanitizers check the machines. AddressSanitizer looks for other mistakes, slowly.
constexpr std::size_t mostSchedules = underAddressSanitizer ? 1000 : std::numeric_limits<std::size_t>::max();

}  // namespace

std::size_t interleaveAll(const MakeModel& make, unsigned preemptions) {
  const OneProcessor one;
  AllChoices choices(preemptions);
  std::size_t count = 0;
  do runOne(make, choices, "schedule " + std::to_string(count++));
  while (count < mostSchedules && choices.next());
  return count;
}

void interleaveRandomly(const MakeModel& make, std::uint64_t firstSeed, std::size_t count) {
  const OneProcessor one;
  for (std::uint64_t seed = firstSeed; seed < firstSeed + count; ++seed) {
    RandomChoices choices(seed);
    runOne(make, choices, "seed " + std::to_string(seed));
  }
}

void verify(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

void interleavingPoint() noexcept {
  if (Stage* stage = Stage::current()) stage->point();
}

void waitUntil(const std::function<bool()>& condition) {
  if (Stage* stage = Stage::current()) stage->wait(condition, true);
}

void waitInside(const std::function<bool()>& condition) noexcept {
  if (Stage* stage = Stage::current()) stage->wait(condition, false);
}

const void* interleavedThread() {
  Stage* stage = Stage::current();
  return stage ? stage->currentActor() : nullptr;
}

}  // namespace tapestry::test
