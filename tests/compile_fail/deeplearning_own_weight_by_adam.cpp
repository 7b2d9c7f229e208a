// expect:  Weight\(  // expected an OptimizerRule: State<V>, V step\(const V& weight, V gradient, State<V>&\), or a chain
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

struct Angle {
  double radians = 0;
  Angle& operator+=(const Angle& other) { return radians += other.radians, *this; }
};

const tapestry::Weight<Angle> weight(Angle{1}, tapestry::chain(tapestry::clipByValue(1), tapestry::adam({})));
