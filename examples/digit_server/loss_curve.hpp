// Defines LossCurve, how a training goes: the points so far, and those to come as events for browsers.
#pragma once

#include <cstddef>
#include <string>
#include <tapestry/concurrent/broadcast.hpp>
#include <vector>

namespace tapestry::examples {

/// Means over the steps since the point before.
struct LossPoint {
  std::size_t step = 0;
  double epoch = 0;
  double loss = 0;
  double accuracy = 0;
};

/// Keeps at most `most` points: when there are more, every second one is left out, and from then on a point
/// stands for twice as many steps. Belongs to one thread.
class LossCurve {
 public:
  enum class State { running, finished, failed };

  /// At first, a point stands for `steps` steps.
  explicit LossCurve(std::size_t steps = 5, std::size_t most = 1000) : stepsPerPoint_(steps), most_(most) {}

  /// Adds the figures of one step.
  void add(double epoch, double loss, double accuracy);
  /// The training has ended well.
  void finish();
  /// The training has ended with an error.
  void fail();

  std::size_t steps() const { return steps_; }
  State state() const { return state_; }
  const std::vector<LossPoint>& points() const { return points_; }

  /// An event with all points so far.
  std::string history() const;
  /// The events from now on, each in the format of server-sent events. A subscriber that falls behind misses
  /// the oldest.
  const Broadcast<std::string>& events() const { return events_; }

 private:
  void end(State state);
  void thinOut();

  std::size_t stepsPerPoint_;
  const std::size_t most_;
  std::size_t steps_ = 0;
  State state_ = State::running;
  std::size_t pending_ = 0;  // steps in the sums
  double lossSum_ = 0;
  double accuracySum_ = 0;
  std::vector<LossPoint> points_;
  const Broadcast<std::string> events_{{.capacity = 64, .slow = SlowSubscribers::dropOldest}};
};

}  // namespace tapestry::examples
