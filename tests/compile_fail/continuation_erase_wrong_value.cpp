// expect: conversion from .*UnitContinuation<std::(__cxx11::)?(basic_)?string|no viable conversion|could not
// convert
#include <string>

#include "tapestry/continuation.hpp"

tapestry::UnitContinuation<std::string> program() { return tapestry::now(1); }
