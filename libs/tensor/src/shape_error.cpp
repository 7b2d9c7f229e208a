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

std::string renamed(std::string_view operation, std::string_view inner) {
  return std::string("tapestry::").append(operation).append(inner.substr(inner.find(": ")));
}

}  // namespace

ShapeError::ShapeError(std::string_view operation, std::string_view problem, std::string_view got,
                       std::string_view expected)
    : std::invalid_argument(message(operation, problem, got, expected)) {}

ShapeError::ShapeError(std::string_view operation, const ShapeError& inner)
    : std::invalid_argument(renamed(operation, inner.what())) {}

}  // namespace tapestry
