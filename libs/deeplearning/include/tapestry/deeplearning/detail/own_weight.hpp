// Defines OwnWeight, a weight of a user-defined type among the weights of a model.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "tapestry/deeplearning/tensor_form.hpp"
#include "tapestry/deeplearning/weight.hpp"
#include "tapestry/tensor/table.hpp"

namespace tapestry::detail {

/// The form of a weight in a file: its value, and the parts of its optimizer's state, if they can be listed.
template <class T>
struct WeightForm {
  Tensor<T> value;
  std::optional<StateParts<Tensor<T>>> parts;
};
using AnyWeightForm = std::variant<WeightForm<float>, WeightForm<double>>;

template <class V, class T>
StateParts<V> convertParts(const StateParts<T>& parts, const auto& convert) {
  StateParts<V> converted;
  for (const auto& [name, part] : parts) {
    converted.emplace_back(name, 0.0);
    std::visit(
        [&, &to = converted.back().second]<class Part>(const Part& from) {
          if constexpr (std::same_as<Part, std::optional<T>>)
            to = from ? std::optional<V>(convert(*from)) : std::nullopt;
          else
            to = from;
        },
        part);
  }
  return converted;
}

/// Whether a type is user-defined; the library's types have their own alternatives in AnyWeight.
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

  /// Precondition of the functions below: hasForm().
  AnyWeightForm form() const { return weight_->form(); }
  /// Sets the value, and the optimizer's state if the form has parts, which have the names and kinds of the
  /// parts of form(). May throw the exceptions of fromTensor.
  std::unique_ptr<Update> prepareWrite(const AnyWeightForm& form) const {
    return weight_->prepareWrite(form);
  }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual Ref<GraphNode> node() const = 0;
    virtual bool hasForm() const noexcept = 0;
    virtual AnyWeightForm form() const = 0;
    virtual std::unique_ptr<Update> prepareWrite(const AnyWeightForm& form) const = 0;
  };

  template <class Data>
  struct Of final : Any {
    explicit Of(Weight<Data> whole) : weight(std::move(whole)) {}

    Ref<GraphNode> node() const override { return Ref<GraphNode>::share(weight.node().get()); }
    bool hasForm() const noexcept override { return HasTensorForm<Data>; }

    AnyWeightForm form() const override {
      if constexpr (HasTensorForm<Data>) {
        using Form = TensorForm<Data>;
        const auto [value, stepper] = weight.node()->snapshot();
        auto tensor = Form::toTensor(*value);
        using V = decltype(tensor);
        std::optional<StateParts<V>> parts;
        if (const auto own = stepper->parts()) parts = convertParts<V, Data>(*own, Form::toTensor);
        return WeightForm<ElementOf<V>>{std::move(tensor), std::move(parts)};
      } else {
        return {};
      }
    }

    std::unique_ptr<Update> prepareWrite(const AnyWeightForm& any) const override {
      if constexpr (HasTensorForm<Data>) {
        using Form = TensorForm<Data>;
        using V = decltype(Form::toTensor(weight.data()));
        const auto& form = std::get<WeightForm<ElementOf<V>>>(any);
        Ref<const Stepper<Data>> stepper;
        if (form.parts)
          stepper =
              weight.node()->snapshot().second->with(convertParts<Data, V>(*form.parts, Form::fromTensor));
        return weight.node()->prepareWrite(Form::fromTensor(form.value), std::move(stepper));
      } else {
        return nullptr;
      }
    }

    const Weight<Data> weight;
  };

  std::shared_ptr<const Any> weight_;
};

}  // namespace tapestry::detail
