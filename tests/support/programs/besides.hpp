// Defines Besides and Nosy, by which a test calls the library wherever that copies, moves or drops a value.
#pragma once

#include <functional>
#include <limits>
#include <utility>

namespace tapestry::test {

/// While it lives, what the operations of a value do besides: call the function, but not within itself, and
/// at most so many times. One lives at a time, and is called on one thread.
class Besides {
 public:
  explicit Besides(std::function<void()> function, int most = std::numeric_limits<int>::max())
      : function_(std::move(function)), most_(most) {
    current = this;
  }
  Besides(const Besides&) = delete;
  Besides& operator=(const Besides&) = delete;
  ~Besides() { current = nullptr; }

  static void call() {
    if (!current || current->calling_ || current->calls_ == current->most_) return;
    current->calling_ = true;
    ++current->calls_;
    current->function_();
    current->calling_ = false;
  }
  int calls() const { return calls_; }

 private:
  static inline Besides* current = nullptr;
  std::function<void()> function_;
  int most_;
  bool calling_ = false;
  int calls_ = 0;
};

/// A value that does what there is to be done besides.
struct Nosy {
  Nosy() = default;
  Nosy(const Nosy&) { Besides::call(); }
  Nosy(Nosy&&) noexcept { Besides::call(); }
  Nosy& operator=(const Nosy&) {
    Besides::call();
    return *this;
  }
  Nosy& operator=(Nosy&&) noexcept {
    Besides::call();
    return *this;
  }
  ~Nosy() { Besides::call(); }
};

}  // namespace tapestry::test
