// Defines what a file of loops ends with, which Highway compiles once for each instruction set.
#pragma once

#include <hwy/highway.h>

/// In the namespace of an instruction set, where loops<T> is of class Loops<T>: gives it a name.
#define TAPESTRY_LOOPS_OF_TARGET(Loops, name)                  \
  const Loops<float>& name##OfFloat() { return loops<float>; } \
  const Loops<double>& name##OfDouble() { return loops<double>; }

/// Once, after the last of them: name<T>() are the loops of the best set that the machine has.
#define TAPESTRY_DISPATCH_LOOPS(Loops, name)       \
  HWY_EXPORT(name##OfFloat);                       \
  HWY_EXPORT(name##OfDouble);                      \
  template <>                                      \
  const Loops<float>& name() {                     \
    return HWY_DYNAMIC_DISPATCH(name##OfFloat)();  \
  }                                                \
  template <>                                      \
  const Loops<double>& name() {                    \
    return HWY_DYNAMIC_DISPATCH(name##OfDouble)(); \
  }
