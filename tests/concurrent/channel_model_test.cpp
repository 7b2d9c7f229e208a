#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/programs/runs.hpp"
#include "tapestry/concurrent/channel.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::Delivery;
using test::outcomeText;

namespace {

using Numbers = std::vector<int>;

std::string joined(const Numbers& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

/// What a channel must do: a plain queue, and the runs that wait. All runs are numbered in the order in which
/// they begin, and have a text: what they yield, or how they have ended, or "waits".
class ModelOfChannel {
 public:
  explicit ModelOfChannel(std::size_t capacity) : capacity_(capacity) {}

  bool trySend(int item) {
    if (closed) return false;
    if (!receivers_.empty()) {
      texts[receivers_.front()] = std::to_string(item);
      receivers_.pop_front();
    } else if (items.size() < capacity_) {
      items.push_back(item);
    } else {
      return false;
    }
    return true;
  }
  void send(int item) {
    texts.push_back(closed ? Closed().what() : trySend(item) ? "sent" : "waits");
    if (texts.back() == "waits") senders_.emplace_back(texts.size() - 1, item);
  }
  std::optional<int> tryReceive() {
    std::optional<int> item;
    if (!items.empty()) {
      item = items.front();
      items.pop_front();
      if (items.size() < capacity_)
        if (const auto next = sentByWaiting()) items.push_back(*next);
    } else {
      item = sentByWaiting();
    }
    return item;
  }
  /// Up to `most` items; `end` is the text of a receive from a channel that is closed and empty.
  void receive(std::size_t most, const std::string& end) {
    Numbers got;
    while (got.size() < most) {
      const auto item = tryReceive();
      if (!item) break;
      got.push_back(*item);
    }
    texts.push_back(!got.empty() ? joined(got) : closed ? end : "waits");
    if (texts.back() == "waits") receivers_.push_back(texts.size() - 1);
  }
  /// A receive that gets an item and gives it back.
  void receiveInVain() {
    if (const auto item = tryReceive()) items.push_front(*item);
  }
  void stop(std::size_t run) {
    if (texts[run] != "waits") return;
    std::erase(receivers_, run);
    std::erase_if(senders_, [run](const auto& sender) { return sender.first == run; });
    texts[run] = "cancelled";
  }
  /// `ends` has the text of each run that waits for an item.
  bool close(const std::vector<std::string>& ends) {
    for (const auto& sender : senders_) texts[sender.first] = Closed().what();
    for (const std::size_t run : receivers_) texts[run] = ends[run];
    senders_.clear();
    receivers_.clear();
    return !std::exchange(closed, true);
  }

  std::deque<int> items;
  bool closed = false;
  std::vector<std::string> texts;

 private:
  std::optional<int> sentByWaiting() {
    if (senders_.empty()) return std::nullopt;
    const auto [run, item] = senders_.front();
    senders_.pop_front();
    texts[run] = "sent";
    return item;
  }

  const std::size_t capacity_;
  std::deque<std::pair<std::size_t, int>> senders_;
  std::deque<std::size_t> receivers_;
};

/// A channel and its model, which get the same random operations.
class Compared {
 public:
  Compared(const Channel<int>& channel, std::size_t capacity, std::uint64_t seed)
      : channel_(channel), model_(capacity), random_(seed) {}

  void step() {
    const int item = ++items_;
    switch (below(16)) {
      case 0:
        return same("close", channel_.close(), model_.close(ends_));
      case 1:
        return stop();
      case 2:
        return receiveInVain();
      case 3:
      case 4:
        return same("trySend", channel_.trySend(item), model_.trySend(item));
      case 5:
      case 6:
        return same("tryReceive", channel_.tryReceive(), model_.tryReceive());
      case 7:
        return receiveSome(1 + below(3));
      case 8:
        return receiveOrEnd();
      case 9:
      case 10:
      case 11:
        return receive();
      default:
        return send(item);
    }
  }
  void check() {
    std::vector<std::string> texts;
    for (const auto& run : runs_) texts.push_back(run->text());
    INFO(log_);
    REQUIRE(texts == model_.texts);
    REQUIRE(channel_.size() == model_.items.size());
    REQUIRE(channel_.isClosed() == model_.closed);
  }
  /// The remaining items come in order, and no run waits permanently.
  void finish() {
    while (const auto item = model_.tryReceive()) REQUIRE(channel_.tryReceive() == item);
    REQUIRE(channel_.tryReceive() == std::nullopt);
    same("close", channel_.close(), model_.close(ends_));
    check();
    CHECK(std::ranges::count(model_.texts, "waits") == 0);
  }

 private:
  struct Running {
    explicit Running(const Do<std::string>& program) {
      program.onComplete(delivery.callback(), stop.token());
    }
    std::string text() {
      if (delivery.count() == 0) return "waits";
      auto& outcome = delivery.outcome();
      return outcome.hasValue() ? outcome.get() : outcomeText(outcome);
    }
    StopSource stop;
    Delivery<std::string> delivery;
  };

  std::size_t below(std::size_t n) { return random_() % n; }
  template <class T>
  void same(const char* operation, const T& got, const T& expected) {
    log_ += std::string(operation) + "; ";
    INFO(log_);
    REQUIRE(got == expected);
  }
  void begin(const std::string& operation, const Do<std::string>& program, const std::string& end) {
    log_ += operation + " is run " + std::to_string(runs_.size()) + "; ";
    ends_.push_back(end);
    runs_.push_back(std::make_unique<Running>(program));
  }

  void send(int item) {
    begin("send " + std::to_string(item), channel_.send(item).map([] { return std::string("sent"); }), "");
    model_.send(item);
  }
  void receive() {
    begin("receive", channel_.receive().map([](int item) { return std::to_string(item); }), Closed().what());
    model_.receive(1, ends_.back());
  }
  void receiveOrEnd() {
    const auto text = [](const std::optional<int>& item) { return item ? std::to_string(*item) : "end"; };
    begin("receiveOrEnd", channel_.receiveOrEnd().map(text), "end");
    model_.receive(1, ends_.back());
  }
  void receiveSome(std::size_t most) {
    begin("receiveSome " + std::to_string(most), channel_.receiveSome(most).map(joined), "");
    model_.receive(most, ends_.back());
  }
  void receiveInVain() {
    const auto failing = Do<int>::raiseError(std::runtime_error("no"));
    const auto both = tupleN(parallel(channel_.receive().attempt()), parallel(failing)).attempt();
    log_ += "receive in vain; ";
    CHECK_FALSE(both.blockingAwait().hasValue());
    model_.receiveInVain();
  }
  void stop() {
    if (runs_.empty()) return;
    const std::size_t run = below(runs_.size());
    log_ += "stop run " + std::to_string(run) + "; ";
    runs_[run]->stop.requestStop();
    model_.stop(run);
  }

  Channel<int> channel_;
  ModelOfChannel model_;
  std::mt19937_64 random_;
  int items_ = 0;
  std::vector<std::unique_ptr<Running>> runs_;
  std::vector<std::string> ends_;  ///< the text of each run that waits when the channel is closed
  std::string log_;
};

}  // namespace

TEST_CASE("a channel does what a plain queue with lists of waiting runs does") {
  constexpr std::size_t unbounded = SIZE_MAX;
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{1}, std::size_t{3}, unbounded})
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      CAPTURE(capacity);
      CAPTURE(seed);
      const auto channel = capacity == unbounded ? Channel<int>::unbounded()
                                                 : Channel<int>(static_cast<std::ptrdiff_t>(capacity));
      Compared compared(channel, capacity, seed);
      for (int i = 0; i < 60; ++i) {
        compared.step();
        compared.check();
      }
      compared.finish();
    }
}
