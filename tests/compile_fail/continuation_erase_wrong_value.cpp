// expect: conversion from .*UnitContinuation<std::(__cxx11::)?(basic_)?string|no viable conversion|could not convert
// expect-lines: 20
// (no fewer, since clang++ shows all constructors)
#include <string>

#include "tapestry/continuation.hpp"

tapestry::UnitContinuation<std::string> program() { return tapestry::now(1); }
