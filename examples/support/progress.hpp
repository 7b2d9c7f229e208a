// Defines Progress, which shows how far a training has come, how well it goes and how long it will still
// take.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <tapestry/raii/do.hpp>

#include "support/terminal.hpp"

namespace tapestry::examples {

/// A steady clock, in seconds.
[[nodiscard]] double secondsNow();

/// On a terminal, one line per epoch with a bar, redrawn in place at most ten times a second; of 80 columns,
/// it leaves out the speed where that is needed for the bar. Elsewhere, plain lines: one at the end of each
/// epoch, and one for each further tenth of the whole training. Loss and accuracy are means over the items of
/// the epoch so far. Calls must not overlap; which thread makes them does not matter.
class Progress {
 public:
  struct Plan {
    std::size_t epochs;
    std::size_t itemsPerEpoch;
    std::string items = "images";
  };

  /// Any steady clock, in seconds.
  using Clock = std::function<double()>;

  explicit Progress(Plan plan, Terminal terminal = standardError(), Clock clock = secondsNow);

  /// Leaves an unfinished line, so that the next text, an error perhaps, starts on a line of its own.
  ~Progress();

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Time runs from here to `finishEpoch`; work between epochs does not count.
  void startEpoch();

  /// `items` more have been trained on, with `loss` their mean loss and `right` the number of right answers
  /// among them, in every call or in none.
  void advance(std::size_t items, double loss, std::optional<std::size_t> right = std::nullopt);

  void finishEpoch();

  /// The program in a scope, as an epoch that is finished when the program has succeeded.
  template <class A>
  [[nodiscard]] Do<void> epoch(const Do<A>& training) {
    return Do<void>::suspend([this, training] {
             startEpoch();
             return training.map([this](const auto&...) { finishEpoch(); });
           })
        .run();
  }

  /// The mean over the finished epochs; 0 before the first.
  [[nodiscard]] double secondsPerEpoch() const;

 private:
  struct Epoch {
    double started = 0;
    std::size_t items = 0;
    double summedLoss = 0;
    std::optional<std::size_t> right = std::nullopt;
  };

  [[nodiscard]] std::size_t itemsPlanned() const { return plan_.epochs * plan_.itemsPerEpoch; }
  [[nodiscard]] std::size_t itemsDone() const { return finishedEpochs_ * plan_.itemsPerEpoch + epoch_.items; }
  [[nodiscard]] bool plainLineDue() const;
  [[nodiscard]] std::string results() const;
  [[nodiscard]] double rate(double now) const;
  [[nodiscard]] std::string speed(double now) const;
  [[nodiscard]] std::string time(double now, bool endOfAll) const;
  void show(double now, bool endOfEpoch);

  Plan plan_;
  Terminal terminal_;
  Clock clock_;
  bool redraws_;
  Epoch epoch_;
  std::size_t finishedEpochs_ = 0;
  double finishedSeconds_ = 0;
  double nextRedraw_ = 0;        // on the clock
  std::size_t tenthsShown_ = 0;  // of the whole training, in plain lines
  bool lineOpen_ = false;
};

}  // namespace tapestry::examples
