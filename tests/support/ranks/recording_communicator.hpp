// Defines RecordingCommunicator, which records the collectives that a rank makes, and its Log.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/threads/within.hpp"
#include "tapestry/distributed/local_communicator.hpp"

namespace tapestry::test {

using Entries = std::vector<std::string>;

/// What happens on one rank, on several threads.
class Log {
 public:
  void add(std::string entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  }
  Entries entries() const {
    const std::lock_guard lock(mutex_);
    return entries_;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    entries_.clear();
  }
  /// Waits for the entry, at most ten seconds.
  void waitFor(const std::string& entry) const {
    within(std::chrono::seconds(10), [&] { return std::ranges::count(entries(), entry) > 0; });
  }

 private:
  mutable std::mutex mutex_;
  Entries entries_;
};

/// A communicator that records the beginning of each collective, and changes what broadcast yields, if it is
/// told how.
struct RecordingCommunicator {
  std::size_t rank() const { return inner.rank(); }
  std::size_t size() const { return inner.size(); }
  Clock::Duration timeLimit() const { return inner.timeLimit(); }
  template <class T>
  Do<void> allReduce(std::span<T> values, ReduceOp op = ReduceOp::sum,
                     std::shared_ptr<const void> owner = nullptr) const {
    return recorded("allReduce of " + std::to_string(values.size()),
                    inner.allReduce(values, op, std::move(owner)));
  }
  Do<Bytes> broadcast(Bytes bytes, std::size_t root) const {
    return recorded("broadcast", inner.broadcast(std::move(bytes), root))
        .map([changed = changed](const Bytes& received) { return changed ? changed(received) : received; });
  }
  Do<std::vector<Bytes>> gather(Bytes bytes, std::size_t root) const {
    return recorded("gather", inner.gather(std::move(bytes), root));
  }
  Do<std::vector<Bytes>> allGather(Bytes bytes) const {
    return recorded("allGather", inner.allGather(std::move(bytes)));
  }
  Do<void> barrier() const { return recorded("barrier", inner.barrier()); }
  Do<RecordingCommunicator> split(std::size_t color) const {
    return recorded("split", inner.split(color)).map([log = log, changed = changed](LocalCommunicator part) {
      return RecordingCommunicator{std::move(part), log, changed};
    });
  }
  Do<void> send(Bytes bytes, std::size_t to, int tag) const {
    return recorded("send", inner.send(std::move(bytes), to, tag));
  }
  Do<Message> receive(std::optional<std::size_t> from, int tag) const {
    return recorded("receive", inner.receive(from, tag));
  }

  LocalCommunicator inner;
  std::shared_ptr<Log> log;
  std::function<Bytes(const Bytes&)> changed;

 private:
  template <class A>
  Do<A> recorded(std::string entry, const Do<A>& program) const {
    return Do<A>::suspend([log = log, entry = std::move(entry), program] {
      log->add(entry);
      return program;
    });
  }
};

static_assert(Communicator<RecordingCommunicator>);

}  // namespace tapestry::test
