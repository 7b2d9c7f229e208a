// Defines Formula, an operation of the library that an expression can name.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <tapestry/deeplearning.hpp>
#include <vector>

namespace tapestry::examples {

/// Its first arguments are layers; those behind them are constants, of which the last may be left out where
/// `optional` says so.
struct Formula {
  using Layers = std::vector<DoubleLayer>;
  using Constants = std::vector<double>;

  std::string parameters;  ///< as in "x, slope", for messages
  std::size_t layers;
  std::size_t constants;
  std::size_t optional;  ///< so many of the arguments may be missing
  DoubleLayer (*make)(const Layers&, const Constants&);

  [[nodiscard]] std::size_t most() const { return layers + constants; }
  [[nodiscard]] std::size_t least() const { return most() - optional; }

  /// A message about a wrong number of arguments.
  [[nodiscard]] std::string mismatch(const std::string& name, std::size_t count) const;
};

/// The operators, under their own characters, and all functions of numbers, under the names that the library
/// gives them.
[[nodiscard]] const std::map<std::string, Formula, std::less<>>& formulas();

}  // namespace tapestry::examples
