// Defines the macros with which the file of a kernel exports its loops, compiled once for each instruction
// set, and chooses among them.
#pragma once

#include <concepts>

#include <hwy/highway.h>

/// For use in the namespace of an instruction set: exports `loop`, a template of a function or of a reference
/// to one, for float and double.
#define TAPESTRY_EXPORT_LOOP(loop)             \
  constexpr auto& loop##OfFloat = loop<float>; \
  constexpr auto& loop##OfDouble = loop<double>;

/// For use once, after the last of these namespaces: loop<T>() returns a pointer to the loop for the best
/// instruction set that this machine has.
#define TAPESTRY_DISPATCH_LOOP(loop)                \
  HWY_EXPORT(loop##OfFloat);                        \
  HWY_EXPORT(loop##OfDouble);                       \
  template <class T>                                \
  static auto* loop() {                             \
    if constexpr (std::same_as<T, float>)           \
      return &HWY_DYNAMIC_DISPATCH(loop##OfFloat);  \
    else                                            \
      return &HWY_DYNAMIC_DISPATCH(loop##OfDouble); \
  }
