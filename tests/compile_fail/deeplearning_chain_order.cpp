// expect:  Weight\(  // expected an OptimizerRule: State<V>, V step\(const V& weight, V gradient, State<V>&\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

struct Twice {
  template <class V>
  struct State {};
  template <class V>
  V transform(V gradient, const V&, State<V>&) const {
    return tapestry::kernels::scale(gradient, 2);
  }
};

const tapestry::DoubleWeight weight(1, chain(tapestry::sgd(0.1), Twice()));
