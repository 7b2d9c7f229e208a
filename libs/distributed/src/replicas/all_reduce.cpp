#include "tapestry/distributed/all_reduce.hpp"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "replicas/rank_exchange.hpp"
#include "tapestry/concurrent/background.hpp"
#include "tapestry/concurrent/event.hpp"
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

/// Begins the exchange of buckets beside the pass. Masked, since other ranks wait for an exchange that has
/// its turn.
Do<Opened> openExchange(const std::shared_ptr<ReplicaGroup>& group, double weight) {
  const auto beginIn = [](const std::shared_ptr<RankExchange>& exchange) {
    return resource(exchange->begin(), [exchange] { return exchange->end(); }).map([exchange] {
      return Opened(exchange);
    });
  };
  const auto opened = Do<Opened>::suspend([group, weight, beginIn] {
    const auto exchange = std::make_shared<RankExchange>(group, weight);
    const Event onItsWay;
    const auto buckets = Do<void>::suspend([group, exchange, onItsWay] {
      onItsWay.set();
      return on(group->executor(), Do<void>::suspend([exchange] { return exchange->exchangeBuckets(); }));
    });
    // a task begins when its starter waits, and a pass need not wait
    return background(mask(buckets)).flatMap([exchange, onItsWay, beginIn](const Task<void>&) {
      return onItsWay.wait().flatMap([exchange, beginIn] { return beginIn(exchange); });
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
