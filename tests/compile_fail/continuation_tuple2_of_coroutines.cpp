// expect: tapestry::tuple2: expected two programs .*direct<M> makes one of a Coroutine
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

using tapestry::Coroutine;
using tapestry::parallel;

Coroutine<int> one();
Coroutine<void> both() { co_await tapestry::tuple2(parallel(one()), parallel(one())); }
