// expect: expected a delta with operator\+=, or an overload of addDelta\(Delta& sum, Delta&& other\)
// expect-errors: 1
#include "tapestry/deeplearning.hpp"

struct Angle {
  double radians = 0;
};
struct AngleDelta {
  double radians = 0;
};

template <>
struct tapestry::DeltaTraits<Angle> {
  using Type = AngleDelta;
};

const tapestry::Layer<Angle> layer(Angle{1});
