// expect: tapestry::Weight: expected an OptimizerRule for its data, with a template State<V> and .*step\(const V& weight
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
