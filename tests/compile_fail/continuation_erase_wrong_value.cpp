// expect: conversion from .*UnitContinuation<std::(__cxx11::)?(basic_)?string|no viable conversion|could not convert
// expect-lines: 20
// (no fewer, since clang++ shows all constructors, and one that took wrong programs, to say so in its own
// words, would make calls of functions ambiguous that are overloaded for programs of several types)
#include <string>

#include "tapestry/continuation.hpp"

tapestry::UnitContinuation<std::string> program() { return tapestry::now(1); }
