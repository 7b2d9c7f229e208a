#include "tapestry/deeplearning/detail/node/do_node.hpp"
#include "tapestry/deeplearning/detail/node/literal_node.hpp"
#include "tapestry/deeplearning/detail/node/weight_node.hpp"

namespace tapestry::detail {

#define TAPESTRY_INSTANTIATE(Data)                 \
  template struct TypedState<Data, DeltaOf<Data>>; \
  template class TapeLink<Data, DeltaOf<Data>>;    \
  template class WeightNode<Data>;                 \
  template class LiteralNode<Data>;                \
  template class DoNode<Data, DeltaOf<Data>>;
TAPESTRY_INSTANTIATE(double)
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(Tensor<float>)
TAPESTRY_INSTANTIATE(Tensor<double>)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::detail
