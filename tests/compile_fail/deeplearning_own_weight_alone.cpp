// expect: Weight\(  // expected Weight\(initial, an OptimizerRule\): user-defined data have no default
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

struct Angle {
  double radians = 0;
  Angle& operator+=(const Angle& other) { return radians += other.radians, *this; }
};

const tapestry::Weight<Angle> weight(Angle{1});
