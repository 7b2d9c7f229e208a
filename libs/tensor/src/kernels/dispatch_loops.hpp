// Defines the macros that end a file of loops, which Highway compiles once for each instruction set.
#pragma once

#include <hwy/highway.h>

/// For use in the namespace of an instruction set, where loops<T> is of class Loops<T>: gives the loops a
/// name.
#define TAPESTRY_LOOPS_OF_TARGET(Loops, name)                  \
  const Loops<float>& name##OfFloat() { return loops<float>; } \
  const Loops<double>& name##OfDouble() { return loops<double>; }

/// For use once, after the last of these namespaces: name<T>() returns the loops for the machine's best set.
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
