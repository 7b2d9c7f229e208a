#include "tapestry/deeplearning/detail/node/do_node.hpp"
#include "tapestry/deeplearning/detail/node/literal_node.hpp"
#include "tapestry/deeplearning/detail/node/weight_node.hpp"

namespace tapestry::detail {

template struct TypedState<double, DeltaOf<double>>;
template struct TypedState<float, DeltaOf<float>>;
template struct TypedState<Tensor<float>, DeltaOf<Tensor<float>>>;
template struct TypedState<Tensor<double>, DeltaOf<Tensor<double>>>;

template class TapeLink<double, DeltaOf<double>>;
template class TapeLink<float, DeltaOf<float>>;
template class TapeLink<Tensor<float>, DeltaOf<Tensor<float>>>;
template class TapeLink<Tensor<double>, DeltaOf<Tensor<double>>>;

template class WeightNode<double>;
template class WeightNode<float>;
template class WeightNode<Tensor<float>>;
template class WeightNode<Tensor<double>>;

template class LiteralNode<double>;
template class LiteralNode<float>;
template class LiteralNode<Tensor<float>>;
template class LiteralNode<Tensor<double>>;

template class DoNode<double, DeltaOf<double>>;
template class DoNode<float, DeltaOf<float>>;
template class DoNode<Tensor<float>, DeltaOf<Tensor<float>>>;
template class DoNode<Tensor<double>, DeltaOf<Tensor<double>>>;

}  // namespace tapestry::detail
