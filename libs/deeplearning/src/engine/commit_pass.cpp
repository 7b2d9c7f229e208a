#include <algorithm>
#include <cmath>
#include <compare>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "prepare_steps.hpp"
#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/deeplearning/detail/pass/help_scope.hpp"
#include "tapestry/deeplearning/detail/pass/run_reduced.hpp"
#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/raii/do_tuple2.hpp"

namespace tapestry::detail {

namespace {

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

bool checksLoss(const Pass& pass) noexcept { return pass.watch() && pass.watch()->checksLoss; }

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

/// Fails with the program's error, or if a pass elsewhere has failed to prepare its steps.
Do<void> agreed(const Do<void>& prepared, extend::Exchange* exchange) {
  return orDisagree(prepared, exchange).flatMap([exchange] { return exchange->agree(nullptr); });
}

/// Multiplies all gradients of the pass, and the sums and numbers of observations.
void scaleAll(const extend::PassGradients& gradients, double factor) {
  for (const extend::WeightId weight : gradients.touched())
    gradients.put(weight, std::visit(
                              [factor]<class G>(G gradient) -> extend::Gradient {
                                return scaledBy(factor, std::move(gradient));
                              },
                              gradients.take(weight)));
}

Do<void> stepAll(const SharedTouched& touched, double scale, extend::Exchange* exchange) {
  auto steps = std::make_shared<Steps>(touched->size());
  const Do<void> prepared =
      prepareSteps(touched, steps, scale).flatMap([steps] { return awaitedBy(*steps); });
  return (exchange ? agreed(prepared, exchange) : prepared).map([steps, touched = touched] {
    if (touched->empty()) return;
    const HelpScope help(touched->front().state->pass().workers());
    for (const auto& step : *steps) step->commit();
    for (const auto& [weight, state] : *touched)
      if (const Watch* watch = state->pass().watch()) watch->tell(PassObserver::Event::step, *state);
  });
}

}  // namespace

Do<void> handOver(Pass& part, Pass& whole) {
  return Do<void>::delay([&part, &whole] {
    const HelpScope help(part.workers());
    for (const auto& [weight, state] : touchedWeights(part))
      weight->handOver(*state, state->node->stateIn(whole));
  });
}

void checkLossShape(const Pass& pass, const Shape& loss) {
  if (loss.size() != 1 && checksLoss(pass))
    throw std::invalid_argument("tapestry::train: the loss is no scalar, got a tensor " + toString(loss) +
                                ", expected one element, such as the sum or the mean");
}

void requireTrained(const Pass& pass) {
  if (!checksLoss(pass)) return;
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

Do<void> stepTogether(Pass& pass, const std::shared_ptr<extend::Exchange>& exchange,
                      std::exception_ptr failure, std::optional<ClipByGlobalNorm> clip, double share) {
  if (!exchange)  // the pass is alone
    return failure ? Do<void>::raiseError(std::move(failure)) : commitPass(pass, clip, share);
  // before the exchange, since passes elsewhere may have other shares
  const auto scale = [&pass, failed = failure != nullptr, share] {
    if (!failed && share != 1) scaleAll(extend::PassGradients(pass), share);
  };
  return Do<double>::suspend([&pass, exchange, failure = std::move(failure), scale] {
           const HelpScope help(pass.workers());
           const auto scaled = Try<void>::of(scale);
           return exchange->settle(extend::PassGradients(pass), failure ? failure : scaled.error());
         })
      .flatMap([&pass, clip](double factor) { return commitPass(pass, clip, factor); });
}

}  // namespace tapestry::detail
