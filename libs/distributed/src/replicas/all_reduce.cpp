#include "tapestry/distributed/all_reduce.hpp"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "current_place.hpp"
#include "replicas/rank_exchange.hpp"
#include "tapestry/deeplearning/layer.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/raii/mask.hpp"
#include "tapestry/raii/scoped.hpp"

namespace tapestry {

namespace {

using detail::RankExchange;
using detail::ReplicaGroup;
using Opened = std::shared_ptr<extend::Exchange>;

/// Masked, since other ranks wait for an exchange that has its turn.
Do<Opened> openExchange(const std::shared_ptr<ReplicaGroup>& group, double weight) {
  return mask(
      Do<detail::RunPlace>::lift(detail::CurrentPlace())
          .flatMap([group, weight](const detail::RunPlace& place) {
            const auto exchange = std::make_shared<RankExchange>(group, weight, *place.clock);
            return resource(exchange->begin(), [exchange] { return exchange->end(); }).map([exchange] {
              return Opened(exchange);
            });
          }));
}

}  // namespace

Reduction allReduce(const Replicas& replicas, AllReduceOptions options) {
  if (!std::isfinite(options.weight) || options.weight < 0)
    throw std::invalid_argument("tapestry::allReduce: the weight is out of range, got " +
                                std::to_string(options.weight) + ", expected a finite number of at least 0");
  if (replicas.size() == 1) return {Do<Opened>::now(nullptr)};
  return {openExchange(replicas.group(), options.weight)};
}

Do<void> joinStep(const Replicas& replicas) {
  return train(DoubleLayer(0.0), allReduce(replicas, {.weight = 0})).map([](double) {});
}

}  // namespace tapestry
