#include "replicas/bucket.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "tapestry/tensor/kernels/arithmetic.hpp"

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

Bucket::Bucket(const BucketPlan& plan)
    : plan_(&plan), filled_(plan.slots.size()), missing_(plan.slots.size()) {
  const bool single = plan.slots.size() == 1;  // its gradient becomes the elements
  const Shape shape{single ? 0 : plan.elements};
  if (plan.isDouble)
    elements_ = Tensor<double>::uninitialized(shape);
  else
    elements_ = Tensor<float>::uninitialized(shape);
  if (!single) std::visit([this](auto& elements) { data_ = elements.exclusiveData(); }, elements_);
}

bool Bucket::put(std::size_t slot, extend::Gradient gradient, double factor) {
  std::visit(
      [&]<class T>(Tensor<T>& elements) {
        auto values = std::get<Tensor<T>>(std::move(gradient));
        if (values.size() != plan_->slots[slot].size)
          throw std::logic_error("tapestry::allReduce: a gradient has another size than its weight, got " +
                                 std::to_string(values.size()) + ", expected " +
                                 std::to_string(plan_->slots[slot].size));
        if (factor != 1) values = kernels::scale(std::move(values), static_cast<T>(factor));
        if (plan_->slots.size() == 1) {
          elements = std::move(values);
          data_ = elements.exclusiveData();
        } else {
          std::ranges::copy(values.values(), static_cast<T*>(data_) + plan_->slots[slot].offset);
        }
      },
      elements_);
  filled_[slot] = 1;
  if (missing_.fetch_sub(1, std::memory_order_acq_rel) != 1) return false;
  ready.set();
  return true;
}

Do<void> Bucket::allReduce(const AnyCommunicator& communicator) {
  return std::visit(
      [&]<class T>(const Tensor<T>& elements) {
        return communicator.allReduce(std::span(static_cast<T*>(data_), plan_->elements), ReduceOp::sum,
                                      std::make_shared<const Tensor<T>>(elements));
      },
      elements_);
}

extend::Gradient Bucket::gradient(std::size_t slot, const Shape& shape) const {
  return std::visit(
      [&]<class T>(const Tensor<T>& elements) -> extend::Gradient {
        if (plan_->slots.size() == 1) return elements.reshape(shape);
        const auto& [weight, offset, size] = plan_->slots[slot];
        return Tensor<T>(shape, elements.values().subspan(offset, size));
      },
      elements_);
}

}  // namespace tapestry::detail
