// Defines FakeResources, which hands out fake resources, remembers what happened to them, and rejects misuse.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tapestry/raii/do.hpp"
#include "tapestry/raii/scoped.hpp"

namespace tapestry::test {

struct AcquireFailed : std::runtime_error {
  explicit AcquireFailed(const std::string& name) : std::runtime_error("acquire " + name) {}
};

struct ReleaseFailed : std::runtime_error {
  explicit ReleaseFailed(const std::string& name) : std::runtime_error("release " + name) {}
};

/// How a fake resource behaves; the programs run before the acquire and before the release.
struct FakeBehaviour {
  bool failAcquire = false;
  bool failRelease = false;
  Do<void> acquiring = Do<void>::now();
  Do<void> releasing = Do<void>::now();
};

/// Thread-safe. The log has "+name" for an acquire, "-name" for a release, and what `note` adds. Acquiring an
/// open name, and releasing a name that is not open, throws; `faults()` has these errors.
class FakeResources {
 public:
  FakeResources() = default;
  FakeResources(const FakeResources&) = delete;
  FakeResources& operator=(const FakeResources&) = delete;

  /// Called with the number of each event of the log, from 0, before it takes effect, on the thread that
  /// causes it; a failed acquire leaves nothing, a failed release has released. Set it while nothing runs.
  std::function<void(std::size_t)> onEvent;

  /// A resource whose value is its name.
  Do<std::string> make(std::string name) { return make(std::move(name), FakeBehaviour()); }
  Do<std::string> make(std::string name, FakeBehaviour behaviour) {
    auto acquire = behaviour.acquiring.map([this, name, fails = behaviour.failAcquire] {
      if (fails) throw AcquireFailed(name);
      acquired(name);
      return name;
    });
    return resource(acquire, [this, behaviour](const std::string& it) {
      return behaviour.releasing.map([this, it, fails = behaviour.failRelease] {
        released(it);
        if (fails) throw ReleaseFailed(it);
      });
    });
  }
  Do<std::string> failingRelease(std::string name) { return make(std::move(name), {.failRelease = true}); }
  Do<std::string> failingAcquire(std::string name) { return make(std::move(name), {.failAcquire = true}); }

  void acquired(const std::string& name) {
    event("+" + name);
    const std::lock_guard lock(mutex_);
    if (std::find(open_.begin(), open_.end(), name) != open_.end()) throw fault("acquired twice: " + name);
    open_.push_back(name);
  }

  void released(const std::string& name) {
    {
      const std::lock_guard lock(mutex_);
      const auto at = std::find(open_.begin(), open_.end(), name);
      if (at == open_.end()) throw fault("released, and not open: " + name);
      if (at + 1 != open_.end()) ++outOfOrder_;
      open_.erase(at);
    }
    event("-" + name);
  }

  /// An event of the test's own.
  void note(const std::string& text) { event(text); }

  bool isOpen(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    return std::find(open_.begin(), open_.end(), name) != open_.end();
  }
  std::size_t open() const {
    const std::lock_guard lock(mutex_);
    return open_.size();
  }
  /// How many releases were not those of the resource that was acquired last.
  int outOfOrder() const {
    const std::lock_guard lock(mutex_);
    return outOfOrder_;
  }
  std::vector<std::string> events() const {
    const std::lock_guard lock(mutex_);
    return events_;
  }
  std::vector<std::string> faults() const {
    const std::lock_guard lock(mutex_);
    return faults_;
  }
  /// The log, in one line.
  std::string log() const {
    std::string text;
    for (const auto& event : events()) text += (text.empty() ? "" : " ") + event;
    return text;
  }

 private:
  void event(std::string text) {
    std::size_t index = 0;
    {
      const std::lock_guard lock(mutex_);
      index = events_.size();
      events_.push_back(std::move(text));
    }
    if (onEvent) onEvent(index);
  }

  std::logic_error fault(std::string text) {
    faults_.push_back(text);
    return std::logic_error(std::move(text));
  }

  mutable std::mutex mutex_;
  std::vector<std::string> open_;
  int outOfOrder_ = 0;
  std::vector<std::string> events_;
  std::vector<std::string> faults_;
};

}  // namespace tapestry::test
