// Defines Rate, the learning rate of each step of a weight: a number, or a schedule.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <utility>

#include "tapestry/continuation/extend/node.hpp"
#include "tapestry/deeplearning/detail/parameters.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A value whose rate(step) is the rate of that step; the first step is 0. Several threads call rate at once,
/// and an exception from it fails `train`.
template <class S>
concept Schedule = std::copy_constructible<S> && requires(const S& schedule, std::uint64_t step) {
  { schedule.rate(step) } -> std::convertible_to<double>;
};

/// Made from a number, the rate of all steps, or from a Schedule; copied in O(1). Each weight counts the
/// steps that it has taken since its optimizer was set. A rate that is not finite as a float fails `train` of
/// a weight of floats.
class Rate {
 public:
  /// Throws std::invalid_argument unless the number is finite; a rate of 0 learns nothing, a negative rate
  /// ascends.
  Rate(double constant) : constant_(constant) { detail::requireFinite("Rate", "the rate", constant); }

  template <class S>
    requires(!std::same_as<S, Rate> && !std::convertible_to<S, double> && Schedule<S>)
  Rate(S schedule) : schedule_(detail::makeRef<const Scheduled<S>>(std::move(schedule))) {}

  /// Throws std::invalid_argument if the schedule's rate is not finite.
  double rate(std::uint64_t step) const {
    if (!schedule_) return constant_;
    const double scheduled = schedule_->rate(step);
    detail::requireFinite("Rate", "the schedule's rate", scheduled);
    return scheduled;
  }

  /// Returns the rate of the next step, which it counts. Throws the same, naming the rule, also if the rate
  /// is not finite as a T.
  template <std::floating_point T>
  T next(std::string_view rule, std::uint64_t& steps) const {
    return detail::finiteAs<T>(rule, "the learning rate", rate(steps++));
  }

 private:
  struct AnySchedule : detail::Node {
    virtual double rate(std::uint64_t step) const = 0;
  };

  template <class S>
  struct Scheduled final : AnySchedule {
    explicit Scheduled(S schedule) : schedule_(std::move(schedule)) {}
    double rate(std::uint64_t step) const override { return schedule_.rate(step); }
    S schedule_;
  };

  double constant_ = 0;
  detail::Ref<const AnySchedule> schedule_;
};

}  // namespace tapestry
#pragma GCC visibility pop
