// Defines a minimal inplace_stop_source, its token and callback, and never_stop_token, as the standard has
// them.
#pragma once

#include <algorithm>
#include <concepts>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tapestry::test::senders {

class inplace_stop_token;

class inplace_stop_source {
 public:
  struct Listener {
    virtual void call() noexcept = 0;

   protected:
    ~Listener() = default;
  };

  inplace_stop_source() = default;
  inplace_stop_source(const inplace_stop_source&) = delete;

  inplace_stop_token get_token() const noexcept;
  bool stop_requested() const noexcept {
    const std::lock_guard lock(mutex_);
    return requested_;
  }
  bool request_stop() noexcept {
    std::unique_lock lock(mutex_);
    if (std::exchange(requested_, true)) return false;
    caller_ = std::this_thread::get_id();
    while (!listeners_.empty()) {
      calling_ = listeners_.back();
      listeners_.pop_back();
      Listener* const called = calling_;
      lock.unlock();
      called->call();
      lock.lock();
      calling_ = nullptr;
      changed_.notify_all();
    }
    return true;
  }
  /// False if the request was made before.
  bool add(Listener& listener) noexcept {
    const std::lock_guard lock(mutex_);
    if (!requested_) listeners_.push_back(&listener);
    return !requested_;
  }
  void remove(Listener& listener) noexcept {
    std::unique_lock lock(mutex_);
    std::erase(listeners_, &listener);
    if (caller_ != std::this_thread::get_id()) changed_.wait(lock, [&] { return calling_ != &listener; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool requested_ = false;
  std::vector<Listener*> listeners_;
  Listener* calling_ = nullptr;
  std::thread::id caller_;
};

template <class F>
class inplace_stop_callback;

class inplace_stop_token {
 public:
  template <class F>
  using callback_type = inplace_stop_callback<F>;

  inplace_stop_token() = default;
  explicit inplace_stop_token(inplace_stop_source* of) noexcept : source(of) {}
  bool stop_requested() const noexcept { return source && source->stop_requested(); }
  bool stop_possible() const noexcept { return source; }
  bool operator==(const inplace_stop_token&) const = default;

  inplace_stop_source* source = nullptr;
};

inline inplace_stop_token inplace_stop_source::get_token() const noexcept {
  return inplace_stop_token(const_cast<inplace_stop_source*>(this));
}

template <class F>
class inplace_stop_callback final : inplace_stop_source::Listener {
 public:
  template <class G>
  inplace_stop_callback(inplace_stop_token token, G&& given)
      : source_(token.source), function_(std::forward<G>(given)) {
    if (source_ && !source_->add(*this)) call();
  }
  inplace_stop_callback(const inplace_stop_callback&) = delete;
  ~inplace_stop_callback() {
    if (source_) source_->remove(*this);
  }

 private:
  void call() noexcept override { std::move(function_)(); }

  inplace_stop_source* source_;
  F function_;
};

struct never_stop_token {
  struct Never {
    Never(never_stop_token, auto&&) noexcept {}
  };
  template <class F>
  using callback_type = Never;

  static constexpr bool stop_requested() noexcept { return false; }
  static constexpr bool stop_possible() noexcept { return false; }
  bool operator==(const never_stop_token&) const = default;
};

}  // namespace tapestry::test::senders
