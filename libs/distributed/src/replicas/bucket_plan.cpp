#include "replicas/bucket_plan.hpp"

#include <array>

namespace tapestry::detail {

std::vector<BucketPlan> planBuckets(std::span<const extend::WeightForm> weights, std::size_t bytes) {
  constexpr std::size_t none = -1;
  std::vector<BucketPlan> plans;
  std::array<std::size_t, 2> open{none, none};  // the bucket that takes more floats, and more doubles
  for (std::size_t i = weights.size(); i-- > 0;) {
    if (weights[i].byRows) continue;
    const bool isDouble = weights[i].type == "F64";
    const std::size_t size = weights[i].gradient.size();
    const std::size_t room = bytes / (isDouble ? sizeof(double) : sizeof(float));
    std::size_t& at = open[isDouble];
    if (at == none || plans[at].elements + size > room) {
      at = plans.size();
      plans.push_back({isDouble, 0, {}});
    }
    plans[at].slots.push_back({i, plans[at].elements, size});
    plans[at].elements += size;
  }
  return plans;
}

}  // namespace tapestry::detail
