#include "compare/side.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>
#include <utility>

namespace tapestry::benchmarks {

namespace {

/// The side that is the fastest of several.
class Fastest {
 public:
  Fastest(std::vector<MakeSide> makers, long operations)
      : makers_(std::move(makers)), operations_(operations) {}

  double cost() {
    if (!side_.run) choose();
    return cost(side_);
  }

  double result() const { return result_; }

 private:
  void choose() {
    if (makers_.size() == 1) {
      side_ = makers_.front()();
      return;
    }
    std::vector<Side> sides;
    for (const auto& make : makers_) sides.push_back(make());
    std::vector<double> least(sides.size(), std::numeric_limits<double>::infinity());
    const double second = 1e9 / static_cast<double>(operations_);
    for (int round = 0; round == 0 || (round < 3 && least.front() < second); ++round)
      for (std::size_t i = 0; i < sides.size(); ++i) least[i] = std::min(least[i], cost(sides[i]));
    side_ = sides[static_cast<std::size_t>(std::ranges::min_element(least) - least.begin())];
  }

  /// The threads of OpenBLAS and OpenMP spin for a while after their work; the other side is not to feel it.
  /// In the pause all threads fall asleep, and the caches hold what the other side has left there: so each
  /// side does its work once before it is timed.
  double cost(const Side& side) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    side.reset();
    side.run();
    side.reset();
    const double cost = nanoseconds(operations_, [&] { result_ = side.run(); });
    if (side.result) result_ = side.result();
    return cost;
  }

  const std::vector<MakeSide> makers_;
  const long operations_;
  Side side_;
  double result_ = 0;
};

double nanosecondsIn(const std::string& unit) {
  return unit.starts_with("ms") ? 1e6 : unit.starts_with("us") ? 1e3 : 1;
}

void checkAgreement(double ours, double theirs, double tolerance) {
  if (!(std::abs(ours - theirs) <= tolerance * std::max(1.0, std::abs(theirs))))
    throw std::runtime_error("the results differ: got " + std::to_string(ours) + ", the peer " +
                             std::to_string(theirs) + ", expected a difference of at most " +
                             std::to_string(tolerance));
}

}  // namespace

Row compareSides(Row row, long operations, MakeSide ours, std::vector<MakeSide> theirs, double tolerance) {
  if (theirs.empty()) {
    row.leftOut = row.peer + " is not installed; 'scripts/bench --install-peers' installs it";
    return row;
  }
  const double unit = nanosecondsIn(row.unit);
  const auto our = std::make_shared<Fastest>(std::vector{std::move(ours)}, operations);
  const auto their = std::make_shared<Fastest>(std::move(theirs), operations);
  row.ours = [our, unit] { return our->cost() / unit; };
  row.theirs = [their, unit] { return their->cost() / unit; };
  row.fault = [our, their, tolerance] {
    checkAgreement(our->result(), their->result(), tolerance);
    return std::string();
  };
  return row;
}

}  // namespace tapestry::benchmarks
