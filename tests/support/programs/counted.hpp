// Defines Counted, a value that counts how many of its kind are alive.
#pragma once

#include <atomic>
#include <utility>

namespace tapestry::test {

/// Copyable; a destructor that runs twice, or not at all, shows in `live()`.
class Counted {
 public:
  explicit Counted(int value = 0) noexcept : value_(value) { ++count; }
  Counted(const Counted& other) noexcept : value_(other.value_) { ++count; }
  Counted(Counted&& other) noexcept : value_(std::exchange(other.value_, -1)) { ++count; }
  Counted& operator=(const Counted&) noexcept = default;
  ~Counted() { --count; }

  /// -1 when it has been moved from.
  int value() const noexcept { return value_; }

  static int live() noexcept { return count.load(); }

 private:
  static inline std::atomic<int> count{0};
  int value_;
};

/// As Counted, but it cannot be copied.
class MoveOnly : public Counted {
 public:
  using Counted::Counted;
  MoveOnly(const MoveOnly&) = delete;
  MoveOnly(MoveOnly&&) noexcept = default;
  MoveOnly& operator=(MoveOnly&&) noexcept = default;
};

/// As Counted, and too large to stand inline in a run.
struct Large : Counted {
  using Counted::Counted;
  char padding[200] = {};
};

}  // namespace tapestry::test
