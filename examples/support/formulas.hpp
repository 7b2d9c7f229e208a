// Defines Formulas, the operations of the library that an expression can name.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tapestry/deeplearning.hpp>

namespace tapestry::examples {

/// The operators, under their own characters, and all elementwise functions of one number or two, under the
/// names that the library gives them.
struct Formulas {
  using Unary = DoubleLayer (*)(const DoubleLayer&);
  using Binary = DoubleLayer (*)(const DoubleLayer&, const DoubleLayer&);

  static const std::map<std::string, Unary, std::less<>>& unary();
  static const std::map<std::string, Binary, std::less<>>& binary();
};

}  // namespace tapestry::examples
