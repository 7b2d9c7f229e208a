#include "digit_server/loss_curve.hpp"

#include "support/text.hpp"

namespace tapestry::examples {
namespace {

std::string json(const LossPoint& point) {
  return "{\"step\":" + std::to_string(point.step) + ",\"epoch\":" + fixed(point.epoch, 3) +
         ",\"loss\":" + fixed(point.loss, 4) + ",\"accuracy\":" + fixed(point.accuracy, 4) + '}';
}

/// The event of that end; nothing for a training that has not ended.
std::string ending(LossCurve::State state) {
  switch (state) {
    case LossCurve::State::running:
      return {};
    case LossCurve::State::finished:
      return "event: done\ndata: {}\n\n";
    case LossCurve::State::failed:
      return "event: failed\ndata: {}\n\n";
  }
  return {};
}

}  // namespace

void LossCurve::add(double epoch, double loss, double accuracy) {
  ++steps_;
  lossSum_ += loss;
  accuracySum_ += accuracy;
  if (++pending_ < stepsPerPoint_) return;
  const auto count = static_cast<double>(pending_);
  points_.push_back({steps_, epoch, lossSum_ / count, accuracySum_ / count});
  pending_ = 0;
  lossSum_ = accuracySum_ = 0;
  events_.tryPublish("event: point\ndata: " + json(points_.back()) + "\n\n");
  if (points_.size() > most_) thinOut();
}

void LossCurve::finish() { end(State::finished); }

void LossCurve::fail() { end(State::failed); }

void LossCurve::end(State state) {
  state_ = state;
  events_.tryPublish(ending(state));
}

void LossCurve::thinOut() {
  std::size_t kept = 0;
  for (std::size_t i = 1; i < points_.size(); i += 2) points_[kept++] = points_[i];
  points_.resize(kept);
  stepsPerPoint_ *= 2;
}

std::string LossCurve::history() const {
  std::string text = "event: history\ndata: [";
  for (std::size_t i = 0; i < points_.size(); ++i) text += (i == 0 ? "" : ",") + json(points_[i]);
  text += "]\n\n";
  return text + ending(state_);
}

}  // namespace tapestry::examples
