// Defines usesOf and momentumOf, which find how a graph uses its initializers.
#pragma once

#include <string>

#include "model/model.hpp"

namespace tapestry::onnx {

/// How the nodes of a graph, and of the graphs within, use an initializer.
struct Uses {
  bool asAverage = false;
  bool asSetting = false;
  bool otherwise = false;
};

Uses usesOf(const Graph& graph, const std::string& name);

/// The momentum of the batch normalization that has the running average.
double momentumOf(const Graph& graph, const std::string& name);

}  // namespace tapestry::onnx
