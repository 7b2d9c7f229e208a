// Defines WeightForm, the form of a weight of another type in a file, and how weights are brought to it and
// set from it.
#pragma once

#include <any>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/deeplearning/running_average.hpp"
#include "tapestry/deeplearning/tensor_form.hpp"
#include "tapestry/deeplearning/weight.hpp"
#include "tapestry/raii/do_tuple2.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The value of the weight, and the parts of its optimizer's state, if they can be listed.
template <class T>
struct WeightForm {
  Tensor<T> value;
  std::optional<StateParts<Tensor<T>>> parts;
};
using AnyWeightForm = std::variant<WeightForm<float>, WeightForm<double>>;

/// Functions pass a form by a pointer, since code that copies or moves an AnyWeightForm takes long to
/// compile.
using SharedWeightForm = std::shared_ptr<const AnyWeightForm>;
template <class T>
SharedWeightForm shared(WeightForm<T> form) {
  return std::make_shared<const AnyWeightForm>(std::move(form));
}

/// Whether a file can hold values of this type.
template <class Data>
concept HasWeightForm = HasTensorForm<Data> || TensorOfDevice<Data>;

/// Returns a form of the weight's shape, with the names and kinds of its optimizer's parts: that of a
/// user-defined type is the weight's form as of one moment; the values of a tensor of a device do not matter.
template <HasTensorForm Data>
SharedWeightForm blankFormOf(const Ref<WeightNode<Data>>& node) {
  using Form = TensorForm<Data>;
  const auto [value, stepper] = node->snapshot();
  auto tensor = Form::toTensor(*value);
  using V = decltype(tensor);
  std::optional<StateParts<V>> parts;
  if (const auto own = stepper->parts()) parts = convertParts<V, Data>(*own, Form::toTensor);
  return shared(WeightForm<ElementOf<V>>{std::move(tensor), std::move(parts)});
}
template <TensorOfDevice Data, template <class> class Node>
SharedWeightForm blankFormOf(const Ref<Node<Data>>& node) {
  using V = Tensor<ElementOf<Data>>;
  const auto blank = [](const Shape& shape) { return V::uninitialized(shape); };
  WeightForm<ElementOf<Data>> form{blank(*node->knownShape()), std::nullopt};
  if (const auto parts = node->snapshot().second->parts())
    form.parts = convertParts<V, Data>(*parts, [&](const Data& part) { return blank(part.shape()); });
  return shared(std::move(form));
}

/// Yields the form of the weight as of one moment, with the parts of its optimizer's state if they are asked
/// for.
template <HasTensorForm Data>
Do<SharedWeightForm> formOf(const Ref<WeightNode<Data>>& node, bool) {
  return Do<SharedWeightForm>::delay([node] { return blankFormOf(node); });
}
/// The same; all tensors of the weight are fetched from the device at once, and no thread waits.
template <TensorOfDevice Data, template <class> class Node>
Do<SharedWeightForm> formOf(const Ref<Node<Data>>& node, bool withParts) {
  return Do<SharedWeightForm>::suspend([node, withParts] {
    using V = Tensor<ElementOf<Data>>;
    const auto [value, stepper] = node->snapshot();
    auto parts = withParts ? stepper->parts() : std::nullopt;
    std::vector<Do<V>> transfers{(*value).toHost()};
    if (parts)
      for (const auto& [name, part] : *parts)
        if (const auto* tensor = std::get_if<std::optional<Data>>(&part); tensor && *tensor)
          transfers.push_back((*tensor)->toHost());
    return parSequence(transfers, Location())
        .map([parts = std::move(parts)](const std::vector<V>& fetched) -> SharedWeightForm {
          auto next = fetched.begin();
          WeightForm<ElementOf<Data>> form{*next, std::nullopt};
          if (parts) form.parts = convertParts<V, Data>(*parts, [&next](const Data&) { return *++next; });
          return shared(std::move(form));
        });
  });
}

// prepareForm returns an update that sets the value and, if the form has parts, which have the names and
// kinds of those of blankFormOf(), the optimizer's state.

/// May throw the exceptions of fromTensor.
template <HasTensorForm Data>
std::unique_ptr<Update> prepareForm(const Ref<WeightNode<Data>>& node, const AnyWeightForm& any,
                                    const std::any&) {
  using Form = TensorForm<Data>;
  using V = decltype(Form::toTensor(*node->read()));
  const auto& form = std::get<WeightForm<ElementOf<V>>>(any);
  Ref<const Stepper<Data>> stepper;
  if (form.parts)
    stepper = node->snapshot().second->with(convertParts<Data, V>(*form.parts, Form::fromTensor));
  return node->prepareWrite(Form::fromTensor(form.value), std::move(stepper));
}

/// Copies the tensors to the device, which may throw the device's errors. The update awaits that the device
/// has the commands. Throws std::bad_any_cast for a device of another type, or none.
template <TensorOfDevice Data, template <class> class Node>
std::unique_ptr<Update> prepareForm(const Ref<Node<Data>>& node, const AnyWeightForm& any,
                                    const std::any& device) {
  using V = Tensor<ElementOf<Data>>;
  using Device = std::remove_cvref_t<decltype(*std::declval<const Data&>().device())>;
  const auto& target = std::any_cast<const Device&>(device);
  const auto& form = std::get<WeightForm<ElementOf<Data>>>(any);
  Data value(target, form.value);
  Do<void> issued = value.issued();
  const auto placed = [&](const V& part) {
    Data moved(target, part);
    issued = issued.flatMap([next = moved.issued()] { return next; });
    return moved;
  };
  Ref<const Stepper<Data>> stepper;
  if (form.parts) stepper = node->snapshot().second->with(convertParts<Data, V>(*form.parts, placed));
  return afterwards(std::move(issued), node->prepareWrite(std::move(value), std::move(stepper)));
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
