#include "support/progress.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ostream>

#include "support/text.hpp"

namespace tapestry::examples {
namespace {

constexpr double secondsBetweenRedraws = 0.1;
constexpr auto eraseRest = "\x1b[K";
constexpr std::size_t narrowestBar = 8, widestBar = 40;

double real(std::size_t count) { return static_cast<double>(count); }

std::string bar(double share, std::size_t columns) {
  const auto full = std::min(columns, static_cast<std::size_t>(share * real(columns)));
  return repeat("█", full) + repeat("░", columns - full);
}

/// `head`, a bar if there is room for one, and `tail`, short of the last column, where a terminal would wrap.
/// Where both do not fit, `less` is left out of the tail.
std::string fit(const std::string& head, double share, std::string tail, const std::string& less,
                std::size_t columns) {
  const auto texts = [&] { return head.size() + 2 + tail.size() + 1; };
  if (texts() + narrowestBar > columns) tail.erase(std::min(tail.find(less), tail.size()), less.size());
  if (texts() + narrowestBar > columns) return (head + tail).substr(0, std::max<std::size_t>(columns, 1) - 1);
  return head + "  " + bar(share, std::min(columns - texts(), widestBar)) + tail;
}

}  // namespace

Progress::Progress(Plan plan, Terminal terminal, Clock clock)
    : plan_(std::move(plan)),
      terminal_(std::move(terminal)),
      clock_(std::move(clock)),
      redraws_(terminal_.columns().has_value()) {}

Progress::~Progress() {
  if (lineOpen_) terminal_.out << std::endl;
}

void Progress::startEpoch() { epoch_ = {.started = clock_()}; }

void Progress::advance(std::size_t items, double loss, std::optional<std::size_t> right) {
  epoch_.items += items;
  epoch_.summedLoss += loss * real(items);
  if (right) epoch_.right = epoch_.right.value_or(0) + *right;
  const double now = clock_();
  if (redraws_ ? now >= nextRedraw_ : plainLineDue()) show(now, false);
}

void Progress::finishEpoch() {
  const double now = clock_();
  show(now, true);
  finishedSeconds_ += now - epoch_.started;
  ++finishedEpochs_;
  epoch_ = {};
}

bool Progress::plainLineDue() const {
  const bool endIsNear = epoch_.items >= plan_.itemsPerEpoch;  // its own line comes next
  return !endIsNear && 10 * itemsDone() >= (tenthsShown_ + 1) * itemsPlanned();
}

std::string Progress::results() const {
  if (epoch_.items == 0) return "";
  const double items = real(epoch_.items);
  const auto loss = "  loss " + fixed(epoch_.summedLoss / items, 4);
  return epoch_.right ? loss + "  accuracy " + percent(real(*epoch_.right) / items) : loss;
}

double Progress::rate(double now) const {
  const double seconds = finishedSeconds_ + now - epoch_.started;
  return seconds <= 0 ? 0 : real(itemsDone()) / seconds;
}

std::string Progress::speed(double now) const {
  return rate(now) > 0 ? "  " + fixed(rate(now), 0) + ' ' + plan_.items + "/s" : "";
}

std::string Progress::time(double now, bool endOfAll) const {
  if (rate(now) <= 0) return "";
  if (endOfAll) return "  " + duration(finishedSeconds_ + now - epoch_.started) + " in all";
  return "  " + duration(std::max(0.0, real(itemsPlanned()) - real(itemsDone())) / rate(now)) + " left";
}

void Progress::show(double now, bool endOfEpoch) {
  const bool endOfAll = endOfEpoch && finishedEpochs_ + 1 == plan_.epochs;
  const auto epochs = std::to_string(plan_.epochs);
  const double share =
      endOfEpoch ? 1
                 : std::min(1.0, real(epoch_.items) / real(std::max<std::size_t>(plan_.itemsPerEpoch, 1)));
  const auto head = "epoch " + padLeft(std::to_string(finishedEpochs_ + 1), epochs.size()) + '/' + epochs;
  const auto tail =
      padLeft(percent(std::floor(100 * share) / 100, 0), 6) + results() + speed(now) + time(now, endOfAll);
  if (redraws_) {
    terminal_.out << '\r' << fit(head, share, tail, speed(now), terminal_.columns().value_or(0)) << eraseRest
                  << (endOfEpoch ? "\n" : "") << std::flush;
    lineOpen_ = !endOfEpoch;
    nextRedraw_ = now + secondsBetweenRedraws;
  } else {
    terminal_.out << head << tail << std::endl;
    tenthsShown_ = 10 * itemsDone() / std::max<std::size_t>(itemsPlanned(), 1);
  }
}

double Progress::secondsPerEpoch() const {
  return finishedEpochs_ == 0 ? 0 : finishedSeconds_ / real(finishedEpochs_);
}

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace tapestry::examples
