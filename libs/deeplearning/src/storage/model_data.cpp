#include "model_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>

namespace tapestry {

namespace {

template <class T>
std::string formOfTyped(const Tensor<T>& tensor) {
  return formOf<T>(tensor.shape());
}
std::string formOfTyped(const Integers& integers) { return "I64 " + toString(integers.shape); }

}  // namespace

std::string formOf(const NamedArray& array) {
  return std::visit([](const auto& typed) { return formOfTyped(typed); }, array);
}

template <class T>
void requireFiniteElements(const ModelFile& file, const std::string& name, const Tensor<T>& tensor) {
  const auto values = tensor.values();
  const auto found = std::ranges::find_if(values, [](T value) { return !std::isfinite(value); });
  if (found != values.end())
    file.fail("\"" + name + "\": not finite, got " + std::to_string(*found) + " as element " +
              std::to_string(found - values.begin()) + " of " + toString(tensor.shape()) +
              ", expected finite numbers (or load with {.finite = false})");
}

template void requireFiniteElements(const ModelFile&, const std::string&, const Tensor<float>&);
template void requireFiniteElements(const ModelFile&, const std::string&, const Tensor<double>&);

void readPart(double& part, const ModelFile& file, const std::string& name, const Shape&) {
  part = dataOf<double>(file, name, {});
}

void readPart(std::uint64_t& part, const ModelFile& file, const std::string& name, const Shape&) {
  const auto* found = std::get_if<Integers>(&file[name]);
  const bool single = found && found->shape == Shape{};
  if (!single || found->values[0] < 0)
    file.fail("\"" + name + "\": no count, got " +
              (single ? std::to_string(found->values[0]) : formOf(file[name])) +
              ", expected I64 [] of at least 0");
  part = static_cast<std::uint64_t>(found->values[0]);
}

}  // namespace tapestry
