// Defines OwnWeight, a weight of a type of the user or of another library among the weights of a model.
#pragma once

#include <any>
#include <memory>
#include <optional>
#include <utility>

#include "tapestry/deeplearning/detail/erased_stepper.hpp"
#include "tapestry/deeplearning/detail/weight_form.hpp"
#include "tapestry/deeplearning/weight.hpp"
#include "tapestry/tensor/table.hpp"

namespace tapestry::detail {

/// Whether a type is of the user or of another library; the library's types have their own alternatives in
/// AnyWeight.
template <class Data>
inline constexpr bool isOwn = !std::floating_point<Data> && !isHostTensor<Data>;
template <class T>
inline constexpr bool isOwn<Table<T>> = false;

/// A handle on a Weight<Data> that hides the type Data.
class OwnWeight {
 public:
  template <class Data>
    requires isOwn<Data>
  OwnWeight(Weight<Data> weight) : weight_(std::make_shared<const Of<Data>>(std::move(weight))) {}

  Ref<GraphNode> node() const { return weight_->node(); }
  bool hasForm() const noexcept { return weight_->hasForm(); }

  /// Whether the value is a tensor of another library that optimizers of ErasedTensors can step.
  bool isTensor() const noexcept { return weight_->isTensor(); }
  /// Gives such a weight the optimizer in its initial state; other weights keep theirs.
  void setOptimizer(const ErasedOptimizers& optimizers) const { weight_->setOptimizer(optimizers); }

  /// The device of the value, or none.
  std::any device() const { return weight_->device(); }

  // Precondition of the functions below: hasForm(). weight_form.hpp describes them.

  std::size_t elements() const { return weight_->elements(); }
  Do<AnyWeightForm> form(bool withParts) const { return weight_->form(withParts); }
  AnyWeightForm blankForm() const { return weight_->blankForm(); }
  std::unique_ptr<Update> prepare(const AnyWeightForm& form, const std::any& device) const {
    return weight_->prepare(form, device);
  }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual Ref<GraphNode> node() const = 0;
    virtual bool hasForm() const noexcept = 0;
    virtual bool isTensor() const noexcept = 0;
    virtual void setOptimizer(const ErasedOptimizers& optimizers) const = 0;
    virtual std::any device() const = 0;
    virtual std::size_t elements() const = 0;
    virtual Do<AnyWeightForm> form(bool withParts) const = 0;
    virtual AnyWeightForm blankForm() const = 0;
    virtual std::unique_ptr<Update> prepare(const AnyWeightForm& form, const std::any& device) const = 0;
  };

  template <class Data>
  struct Of final : Any {
    explicit Of(Weight<Data> whole) : weight(std::move(whole)) {}

    Ref<GraphNode> node() const override { return Ref<GraphNode>::share(weight.node().get()); }
    bool hasForm() const noexcept override { return HasWeightForm<Data>; }
    bool isTensor() const noexcept override { return Erasable<Data>; }
    void setOptimizer([[maybe_unused]] const ErasedOptimizers& optimizers) const override {
      if constexpr (Erasable<Data>) weight.node()->replace(steppedBy<Data>(optimizers));
    }
    std::any device() const override { return deviceOf(weight.node()); }
    std::size_t elements() const override {
      if constexpr (HasShape<Data>) return weight.node()->knownShape()->size();
      return std::visit([](const auto& form) { return form.value.size(); }, blankForm());
    }
    Do<AnyWeightForm> form([[maybe_unused]] bool withParts) const override {
      if constexpr (HasWeightForm<Data>)
        return formOf(weight.node(), withParts);
      else
        return Do<AnyWeightForm>::now({});
    }
    AnyWeightForm blankForm() const override {
      if constexpr (HasWeightForm<Data>)
        return blankFormOf(weight.node());
      else
        return {};
    }
    std::unique_ptr<Update> prepare([[maybe_unused]] const AnyWeightForm& form,
                                    [[maybe_unused]] const std::any& device) const override {
      if constexpr (HasWeightForm<Data>)
        return prepareForm(weight.node(), form, device);
      else
        return nullptr;
    }

    const Weight<Data> weight;
  };

  std::shared_ptr<const Any> weight_;
};

}  // namespace tapestry::detail
