#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "division.hpp"
#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/deeplearning/detail/pass/help_scope.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"
#include "tapestry/deeplearning/extend/exchange.hpp"
#include "tapestry/raii/do_tuple2.hpp"

namespace tapestry::detail {

namespace {

/// Functions capture it as `touched = touched`: a plain capture of a constant parameter would be constant,
/// and would be copied instead of moved.
using SharedTouched = std::shared_ptr<const std::vector<Touched>>;
using Steps = std::vector<std::unique_ptr<Update>>;

std::vector<Touched> touchedWeights(const Pass& pass) {
  std::vector<Touched> touched;
  for (NodeState* state = pass.weights(); state; state = state->nextVisited)
    if (state->hasDelta()) touched.push_back({state->node->asTrainable(), state});
  // every pass takes the permits in this order
  std::ranges::sort(touched, std::less<>(), &Touched::weight);
  return touched;
}

/// Holds the weights from `begin` on that are free, up to the first that is not free; yields the index of
/// that.
Do<std::size_t> holdFree(const SharedTouched& touched, std::size_t begin) {
  using Acquired = Do<std::size_t>::Acquired;
  return Do<std::size_t>(UnitContinuation<Acquired>(delay([touched = touched, begin] {
    const auto isFree = [](const Touched& each) {
      return !each.weight->stepping || each.weight->stepping->tryTake(1);
    };
    const auto first = touched->begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end = std::find_if_not(first, touched->end(), isFree);
    auto release = delay([touched = touched, first, end] {
      for (auto each = end; each != first;)
        if (--each; each->weight->stepping) each->weight->stepping->give(1);
      return Errors();
    });
    return Acquired{Try<std::size_t>::success(static_cast<std::size_t>(end - touched->begin())),
                    UnitContinuation<Errors>(std::move(release))};
  })));
}

Do<void> holdAll(const SharedTouched& touched, std::size_t begin = 0) {
  return holdFree(touched, begin).flatMap([touched = touched](std::size_t held) {
    if (held == touched->size()) return Do<void>::now();
    return take((*touched)[held].weight->stepping, 1, Location()).flatMap([touched = touched, held] {
      return holdAll(touched, held + 1);
    });
  });
}

/// Returns the norm of all gradients.
double normOf(std::vector<double> squares, double share) {
  // in an order that does not depend on the addresses of the weights
  std::ranges::sort(squares, [](double a, double b) { return std::is_lt(std::strong_order(a, b)); });
  const double norm = share * std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
  if (!std::isfinite(norm))
    throw std::range_error(std::string("tapestry::clipByGlobalNorm: the norm is out of range, got ") +
                           (std::isnan(norm) ? "nan" : "inf") + ", expected a finite number");
  return norm;
}

/// Yields the values of programs, which run as in parSequence; fails with the first error alone, since a
/// device that is lost fails all of them.
template <class A>
Do<std::vector<Stored<A>>> allOrFirstError(const std::vector<Do<A>>& programs) {
  std::vector<Do<Try<A>>> attempts;
  for (const auto& program : programs) attempts.push_back(program.attempt());
  return parSequence(attempts, Location()).map([](std::vector<Try<A>> tried) {
    std::vector<Stored<A>> values;
    for (Try<A>& each : tried) {
      if (!each.hasValue()) std::rethrow_exception(each.error());
      values.push_back(std::move(each).get());
    }
    return values;
  });
}

/// Yields the factor for all gradients.
Do<double> clipTogether(const SharedTouched& touched, ClipByGlobalNorm clip, double share) {
  std::vector<Do<double>> squares;
  for (const auto& [weight, state] : *touched)
    squares.push_back(Do<double>::suspend([weight, state] {
      const HelpScope help(state->pass().workers());
      return weight->squaredNorm(*state);
    }));
  return allOrFirstError(squares).map([touched = touched, clip, share](const std::vector<double>& all) {
    const double norm = normOf(all, share);
    if (!touched->empty())
      if (const Watch* const watch = touched->front().state->pass().watch(); watch && watch->observer)
        watch->observer->gradientNorm(norm);
    return share * (norm > clip.limit ? clip.limit / norm : 1);
  });
}

/// Prepares the steps in branches. A branch takes a part whose deltas its thread has sent, if one is left.
Do<void> prepareInParts(const SharedTouched& touched, const std::shared_ptr<Steps>& steps, double scale) {
  return Do<void>::suspend([touched = touched, steps = steps, scale] {
    const auto division = std::make_shared<Division>(*touched);
    const auto prepared = Do<void>::delay([touched = touched, steps = steps, scale, division] {
      const HelpScope help(touched->front().state->pass().workers());
      for (const std::size_t i : division->take())
        (*steps)[i] = (*touched)[i].weight->prepare(*(*touched)[i].state, scale);
    });
    return parSequence(std::vector(division->size(), prepared), Location()).map([](auto&&) {});
  });
}

/// Prepares a step of each weight, with its gradient times `scale`, in parallel. Fails with the error of a
/// step, or with the errors of all steps that have failed at the same time.
Do<void> prepareSteps(const SharedTouched& touched, const std::shared_ptr<Steps>& steps, double scale) {
  if (!touched->empty() && touched->front().state->pass().workers())
    return prepareInParts(touched, steps, scale);
  return Do<void>::delay([touched = touched, steps = steps, scale] {
    const HelpScope help(nullptr);
    for (std::size_t i = 0; i < touched->size(); ++i)
      (*steps)[i] = (*touched)[i].weight->prepare(*(*touched)[i].state, scale);
  });
}

/// What all steps need before they are committed. The steps wait for their devices at the same time.
Do<void> awaitedBy(const Steps& steps) {
  std::vector<Do<void>> all;
  for (const auto& step : steps)
    if (step->awaited) all.push_back(*step->awaited);
  if (all.empty()) return Do<void>::now();
  return allOrFirstError(all).map([](const std::vector<Unit>&) {});
}

/// The program. If it fails, passes on other ranks get its error where all ranks agree that steps are
/// prepared.
template <class A>
Do<A> orDisagree(const Do<A>& program, extend::Exchange* exchange) {
  if (!exchange) return program;
  return program.handleError([exchange](const std::exception_ptr& error) {
    return exchange->agree(error).flatMap([error] { return Do<A>::raiseError(error); });
  });
}

Do<void> stepAll(const SharedTouched& touched, double scale, extend::Exchange* exchange) {
  auto steps = std::make_shared<Steps>(touched->size());
  Do<void> prepared = orDisagree(
      prepareSteps(touched, steps, scale).flatMap([steps] { return awaitedBy(*steps); }), exchange);
  if (exchange) prepared = prepared.flatMap([exchange] { return exchange->agree(nullptr); });
  return prepared.map([steps, touched = touched] {
    if (touched->empty()) return;
    const HelpScope help(touched->front().state->pass().workers());
    for (const auto& step : *steps) step->commit();
    for (const auto& [weight, state] : *touched)
      if (const Watch* watch = state->pass().watch()) watch->tell(PassObserver::Event::step, *state);
  });
}

}  // namespace

void requireTrained(const Pass& pass) {
  if (!pass.watch() || !pass.watch()->checksLoss) return;
  // a running average observes values, also of a loss that trains nothing
  for (const NodeState* state = pass.weights(); state; state = state->nextVisited)
    if (state->hasDelta() && state->node->name() == "weight") return;
  throw std::invalid_argument(
      "tapestry::train: the loss trains nothing, got no delta for any weight, expected a loss that depends "
      "on weights");
}

Do<void> commitPass(Pass& pass, std::optional<ClipByGlobalNorm> clip, double share) {
  return Do<void>::suspend([&pass, clip, share] {
    auto touched = std::make_shared<const std::vector<Touched>>(touchedWeights(pass));
    extend::Exchange* const exchange = pass.exchange();
    const auto stepScaled = [touched, exchange](double scale) {
      return holdAll(touched).flatMap(
          [touched = touched, exchange, scale] { return stepAll(touched, scale, exchange); });
    };
    if (!clip) return stepScaled(share).run();
    return orDisagree(clipTogether(touched, *clip, share), exchange).flatMap(stepScaled).run();
  });
}

}  // namespace tapestry::detail
