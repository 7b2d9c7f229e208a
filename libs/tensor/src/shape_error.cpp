#include <tapestry/tensor/shape_error.hpp>

#include <string>

namespace tapestry {

namespace {

std::string message(std::string_view operation, std::string_view problem, std::string_view got,
                    std::string_view expected) {
  std::string text = "tapestry::";
  text.append(operation).append(": ").append(problem);
  text.append(", got ").append(got).append(", expected ").append(expected);
  return text;
}

}  // namespace

ShapeError::ShapeError(std::string_view operation, std::string_view problem, std::string_view got,
                       std::string_view expected)
    : std::invalid_argument(message(operation, problem, got, expected)) {}

}  // namespace tapestry
