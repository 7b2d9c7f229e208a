#include "tapestry/distributed/all_reduce.hpp"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "replicas/rank_exchange.hpp"
#include "tapestry/concurrent/background.hpp"
#include "tapestry/deeplearning/layer.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/raii/mask.hpp"
#include "tapestry/raii/on.hpp"
#include "tapestry/raii/scoped.hpp"

namespace tapestry {

namespace {

using detail::RankExchange;
using detail::ReplicaGroup;
using Opened = std::shared_ptr<extend::Exchange>;

/// The exchange of a world of one rank.
class LoneExchange final : public extend::Exchange {
 public:
  void complete(extend::PassGradients, extend::WeightId) noexcept override {}
  Do<double> settle(extend::PassGradients, std::exception_ptr failure) override {
    return failure ? Do<double>::raiseError(std::move(failure)) : Do<double>::now(1);
  }
  Do<void> agree(std::exception_ptr failure) override {
    return failure ? Do<void>::raiseError(std::move(failure)) : Do<void>::now();
  }
};

/// Begins the exchange of buckets beside the pass, on any thread that completes a collective, so that it goes
/// on while the run's own thread computes. Masked, since other ranks wait for an exchange that has its turn.
Do<Opened> openExchange(const std::shared_ptr<ReplicaGroup>& group, double weight) {
  const auto opened = Do<std::shared_ptr<RankExchange>>::delay([group, weight] {
                        return std::make_shared<RankExchange>(group, weight);
                      }).flatMap([](const std::shared_ptr<RankExchange>& exchange) {
    const auto buckets = Do<void>::suspend([exchange] { return exchange->exchangeBuckets(); });
    return background(mask(on(Executor::inlined(), buckets))).flatMap([exchange](const Task<void>&) {
      return resource(exchange->begin(), [exchange] { return exchange->end(); }).map([exchange] {
        return Opened(exchange);
      });
    });
  });
  return mask(opened);
}

}  // namespace

Reduction allReduce(const Replicas& replicas, AllReduceOptions options) {
  if (!std::isfinite(options.weight) || options.weight < 0)
    throw std::invalid_argument("tapestry::allReduce: the weight is out of range, got " +
                                std::to_string(options.weight) + ", expected a finite number of at least 0");
  if (replicas.size() == 1) return {Do<Opened>::delay([] { return std::make_shared<LoneExchange>(); })};
  return {openExchange(replicas.group(), options.weight)};
}

Do<void> joinStep(const Replicas& replicas) {
  return train(DoubleLayer(0.0), allReduce(replicas, {.weight = 0})).map([](double) {});
}

}  // namespace tapestry
