// Defines describeData and describeOperation, which fill in the details of a node.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The type and the shape of the data of a node; a shape that is not known is null.
template <class Data>
void describeType(extend::NodeDetails& details, const Shape* known) {
  if (known) details.shape = *known;
  if constexpr (std::floating_point<Data>) {
    details.type = sizeof(Data) == 4 ? "float" : "double";
    details.shape = Shape();
    details.elementBytes = sizeof(Data);
  } else if constexpr (isHostTensor<Data>) {
    details.type = sizeof(ElementOf<Data>) == 4 ? "Tensor<float>" : "Tensor<double>";
    details.elementBytes = sizeof(ElementOf<Data>);
  } else {
    details.type = "data";
    if constexpr (requires { sizeof(typename Data::Value); })
      details.elementBytes = sizeof(typename Data::Value);
  }
}

/// The shape and the value of data.
template <class Data>
void describeData(extend::NodeDetails& details, const Data& data) {
  if constexpr (std::floating_point<Data> || isHostTensor<Data>) details.value = data;
  if constexpr (HasShape<Data>) details.shape = data.shape();
}

/// The attributes and the number of multiplications, which the operation or its rule for shapes states.
template <class Op>
void describeOperation(extend::NodeDetails& details, const Op& operation) {
  if constexpr (requires { operation.attributes(); })
    details.attributes = operation.attributes();
  else if constexpr (requires { operation.shapes.attributes(); })
    details.attributes = operation.shapes.attributes();
}

/// The same for an operation on `operands` operands, whose shapes are in the details or left out.
template <std::size_t operands, class Op>
void describeOperation(extend::NodeDetails& details, const Op& operation) {
  describeOperation(details, operation);
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    if constexpr (requires { operation.shapes.multiplications(*details.operands[i]...); })
      if (details.operands.size() == operands && (... && details.operands[i]))
        details.multiplications = operation.shapes.multiplications(*details.operands[i]...);
  }(std::make_index_sequence<operands>());
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
