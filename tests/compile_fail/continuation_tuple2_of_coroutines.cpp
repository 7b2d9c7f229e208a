// expect: tuple2\(.*expected two programs, parallel\(p\) both or none; direct<M> of a Coroutine
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

using tapestry::Coroutine;
using tapestry::parallel;

Coroutine<int> one();
const auto both = [] { return tapestry::tuple2(parallel(one()), parallel(one())); };
