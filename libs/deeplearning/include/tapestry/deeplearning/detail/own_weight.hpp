// Defines OwnWeight, a weight or a running average of a type of the user or of another library among the
// weights of a model.
#pragma once

#include <any>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "tapestry/deeplearning/detail/weight_form.hpp"
#include "tapestry/deeplearning/optimizers/detail/erased_stepper.hpp"
#include "tapestry/deeplearning/weight.hpp"
#include "tapestry/tensor/table.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Whether a type is of the user or of another library; the library's types have their own alternatives in
/// AnyWeight.
template <class Data>
inline constexpr bool isOwn = !std::floating_point<Data> && !isHostTensor<Data>;
template <class T>
inline constexpr bool isOwn<Table<T>> = false;

std::size_t elementsOf(const AnyWeightForm& form);

/// A handle on a Weight<Data> or a RunningAverage<Data> that hides the type Data.
class OwnWeight {
 public:
  template <class Data>
    requires isOwn<Data>
  OwnWeight(Weight<Data> weight) : weight_(std::make_shared<const Of<Weight<Data>>>(std::move(weight))) {}
  template <class Data>
    requires isOwn<Data>
  OwnWeight(RunningAverage<Data> average)
      : weight_(std::make_shared<const Of<RunningAverage<Data>>>(std::move(average))) {}

  /// What is known of the weight, and done with it, whatever its type.
  struct Any {
    virtual ~Any() = default;
    virtual Ref<GraphNode> node() const = 0;
    virtual bool hasForm() const noexcept = 0;

    /// Whether the value is a tensor of another library that optimizers of ErasedTensors can step.
    virtual bool isTensor() const noexcept = 0;
    /// Gives such a weight the optimizer in its initial state; other weights keep theirs.
    virtual void setOptimizer(const ErasedOptimizers& optimizers) const = 0;

    /// Whether the value is a tensor of a device; it may be a constant, which has none.
    virtual bool isOfDevice() const noexcept = 0;
    /// The device of the value, or none.
    virtual std::any device() const = 0;

    // Precondition of the functions below: hasForm(). weight_form.hpp describes them.

    /// 0 for a running average.
    virtual std::size_t elements() const = 0;
    virtual Do<SharedWeightForm> form(bool withParts) const = 0;
    virtual SharedWeightForm blankForm() const = 0;
    virtual std::unique_ptr<Update> prepare(const AnyWeightForm& form, const std::any& device) const = 0;
  };

  const Any* operator->() const noexcept { return weight_.get(); }
  Ref<GraphNode> node() const { return weight_->node(); }

  /// Throws std::invalid_argument unless hasForm(): the named weight cannot be `done`, such as "saved".
  void requireForm(const std::string& operation, const std::string& name, const std::string& done) const;

 private:
  template <class Handle>
  struct Of final : Any {
    using Data = typename Handle::Data;
    static constexpr bool isWeight = std::same_as<Handle, Weight<Data>>;
    static constexpr bool isInFiles = isWeight ? HasWeightForm<Data> : TensorOfDevice<Data>;

    explicit Of(Handle whole) : weight(std::move(whole)) {}

    Ref<GraphNode> node() const override { return Ref<GraphNode>::share(weight.node().get()); }
    bool hasForm() const noexcept override { return isInFiles; }
    bool isTensor() const noexcept override { return isWeight && Erasable<Data>; }
    void setOptimizer([[maybe_unused]] const ErasedOptimizers& optimizers) const override {
      if constexpr (isWeight && Erasable<Data>) weight.node()->replace(steppedBy<Data>(optimizers));
    }
    bool isOfDevice() const noexcept override { return TensorOfDevice<Data>; }
    std::any device() const override {
      if constexpr (TensorOfDevice<Data>)
        if (const auto device = weight.data().device()) return *device;
      return {};
    }
    std::size_t elements() const override {
      if constexpr (!isWeight) return 0;
      if constexpr (HasShape<Data>) return weight.node()->knownShape()->size();
      return elementsOf(*blankForm());
    }
    Do<SharedWeightForm> form([[maybe_unused]] bool withParts) const override {
      if constexpr (isInFiles)
        return formOf(weight.node(), withParts);
      else
        std::terminate();  // the precondition is violated
    }
    SharedWeightForm blankForm() const override {
      if constexpr (isInFiles)
        return blankFormOf(weight.node());
      else
        std::terminate();  // the precondition is violated
    }
    std::unique_ptr<Update> prepare([[maybe_unused]] const AnyWeightForm& form,
                                    [[maybe_unused]] const std::any& device) const override {
      if constexpr (isInFiles)
        return prepareForm(weight.node(), form, device);
      else
        std::terminate();  // the precondition is violated
    }

    const Handle weight;
  };

  std::shared_ptr<const Any> weight_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
