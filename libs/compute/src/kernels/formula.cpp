#include <tapestry/compute/kernels/device_formula.hpp>

#include <algorithm>
#include <concepts>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "build.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

/// The name of an operation as part of a kernel's name.
std::string identifierOf(std::string_view operation) {
  const auto isPart = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  std::string name(operation.substr(0, 40));
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return !isPart(c); }, '_');
  return name;
}

/// The functions of recorded formulas, by their source. None is ever removed, since kernels are found by the
/// addresses of their functions.
class FormulaTable {
 public:
  detail::DeviceFunction& find(std::string_view operation, const formula::Term& result, std::size_t operands,
                               const std::string& type) {
    const formula::Source source = formula::sourceOf(std::span(&result, 1), type);
    std::string parameters, arguments;
    for (std::size_t i = 0; i < operands; ++i) {
      const std::string separator = i == 0 ? "" : ", ", number = std::to_string(i);
      parameters += separator + type + " x" + number;
      arguments += separator + '%' + number;
    }
    const std::string text =
        '(' + parameters + ") {\n" + source.statements + "return " + source.results[0] + ";\n}\n";
    std::string name = identifierOf(operation);
    const std::lock_guard lock(mutex_);
    std::unique_ptr<detail::DeviceFunction>& function = functions_[name + text];
    if (!function) {
      const std::string own = "formula" + std::to_string(functions_.size());
      const auto onHost = [result, operands](const double* constants) {
        return formula::valueOf(result, std::span(constants, operands));
      };
      function = std::make_unique<detail::DeviceFunction>(detail::DeviceFunction{
          std::move(name), own + '(' + arguments + ')', onHost, "FUNCTION " + type + ' ' + own + text});
    }
    return *function;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<detail::DeviceFunction>> functions_;
};

FormulaTable& formulas() {
  static FormulaTable table;
  return table;
}

/// The function of a recording's result, which is found by its source once.
std::shared_ptr<detail::DeviceFunction> functionOf(std::string_view operation,
                                                   const formula::Recording& recording, std::size_t result,
                                                   std::size_t operands, bool isDouble) {
  FormulaTable& table = formulas();
  return recording.attachments().get<detail::DeviceFunction>({&table, isDouble, result}, [&] {
    detail::DeviceFunction& function =
        table.find(operation, recording.results()[result], operands, isDouble ? "double" : "float");
    return std::shared_ptr<detail::DeviceFunction>(std::shared_ptr<void>(), &function);  // the table owns it
  });
}

}  // namespace

template <class T>
std::vector<DeviceTensor<T>> DeviceFormula::evaluate(std::string_view operation,
                                                     const formula::Recording& recording,
                                                     std::span<const DeviceTensor<T>> operands) {
  Shape shape;
  for (const DeviceTensor<T>& x : operands) shape = broadcast(shape, x.shape(), operation);
  std::vector<DeviceTensor<T>> values;
  for (std::size_t result = 0; result < recording.results().size(); ++result) {
    const auto function = functionOf(operation, recording, result, operands.size(), std::same_as<T, double>);
    std::vector<detail::ExpressionRef> of;
    for (const DeviceTensor<T>& x : operands) of.push_back(x.expression());
    // An operand that the function ignores, so that the kernel of the last result computes all of them.
    if (!values.empty() && of.size() < detail::DeviceExpression::maxOperands)
      of.push_back(values.back().expression());
    values.emplace_back(detail::applied(*function, of));
  }
  if (values.size() > 1)
    for (auto value = values.rbegin(); value != values.rend(); ++value) value->compute();
  return values;
}

template std::vector<DeviceTensor<float>> DeviceFormula::evaluate(std::string_view, const formula::Recording&,
                                                                  std::span<const DeviceTensor<float>>);
template std::vector<DeviceTensor<double>> DeviceFormula::evaluate(std::string_view,
                                                                   const formula::Recording&,
                                                                   std::span<const DeviceTensor<double>>);

}  // namespace tapestry
#pragma GCC visibility pop
