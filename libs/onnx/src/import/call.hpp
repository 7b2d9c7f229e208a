// Defines Call, a node of an ONNX graph with the values of its inputs, and the layers that it becomes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tapestry/deeplearning/differentiable.hpp>
#include <tapestry/deeplearning/running_average.hpp>
#include <tapestry/onnx/onnx_choice.hpp>

#include "model/model.hpp"

namespace tapestry::onnx {

/// An input of whole numbers while the file is read; they are known when the network is built.
struct Pending {};

/// An output that an operation may have in the standard, and that the library does not compute.
struct NotComputed {};

/// A value of a graph: numbers that a pass computes, or what is known when the network is built: numbers and
/// whole numbers. Running averages are known by the operation that has them.
using Value =
    std::variant<TensorLayer, Tensor<float>, Integers, RunningAverage<Tensor<float>>, Pending, NotComputed>;
using Values = std::map<std::string, Value, std::less<>>;

/// Builds the outputs of a graph within a graph from the values around it.
using BuildBranch = std::function<std::vector<TensorLayer>(const Graph&)>;

/// The file, and the version of its operations.
struct Origin {
  std::filesystem::path path;
  std::int64_t opset;
};

/// A node of a file, as errors name it, also those of a pass, which alone may know the shapes.
class Place {
 public:
  Place(std::filesystem::path path, std::string node) : path_(std::move(path)), node_(std::move(node)) {}
  /// Throws FileError, which names the file, the node and its operation.
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  std::filesystem::path path_;
  std::string node_;
};

/// A node with the values of its inputs, from which a handler makes the values of the outputs. Every failure
/// is that of the node's place.
class Call {
 public:
  /// `choices` may be null.
  Call(const Origin& origin, const Node& node, const Values& values, const BuildBranch& buildBranch,
       std::vector<OnnxChoice>* choices)
      : origin_(origin), node_(node), values_(values), buildBranch_(buildBranch), choices_(choices) {}

  std::int64_t opset() const noexcept { return origin_.opset; }
  std::size_t inputs() const noexcept { return node_.inputs.size(); }
  std::size_t outputs() const noexcept { return node_.outputs.size(); }

  /// Whether the input is given.
  bool has(std::size_t input) const { return input < inputs() && !node_.inputs[input].empty(); }
  /// The input as numbers that a pass computes; truth values count as 0 and 1.
  TensorLayer layer(std::size_t input) const;
  /// The value of an input that is known when the network is built.
  Tensor<float> constant(std::size_t input) const;
  const Integers& integers(std::size_t input) const;
  /// The running average, or one that begins with a constant and is the call's own.
  RunningAverage<Tensor<float>> average(std::size_t input) const;
  /// The input as it is.
  const Value& any(std::size_t input) const;
  bool isInteger(std::size_t input) const { return std::holds_alternative<Integers>(any(input)); }
  bool anyPending() const;

  /// The attribute, or the other value if it is left out.
  template <class T>
  T attribute(std::string_view name, std::type_identity_t<T> otherwise) const {
    const auto* found = find(name);
    return found ? typed<T>(name, *found) : otherwise;
  }
  /// The attribute; fails if it is left out.
  template <class T>
  T attribute(std::string_view name) const {
    const auto* found = find(name);
    if (!found) fail("attribute " + std::string(name) + " is missing, got none, expected one");
    return typed<T>(name, *found);
  }
  bool hasAttribute(std::string_view name) const { return find(name) != nullptr; }
  /// Whole numbers that stand in an attribute or, in later versions, in an input.
  std::optional<std::vector<std::int64_t>> integersOf(std::string_view name, std::size_t input) const;

  std::vector<TensorLayer> branch(std::string_view name) const;
  /// Where to note the choices that the node is; null if nothing asks for them.
  std::vector<OnnxChoice>* choices() const noexcept { return choices_; }

  Place place() const;
  [[noreturn]] void fail(const std::string& problem) const { place().fail(problem); }

 private:
  const Attribute::Value* find(std::string_view name) const;
  template <class T>
  T typed(std::string_view name, const Attribute::Value& found) const {
    if (const auto* typed = std::get_if<T>(&found)) return *typed;
    failOfType(name, found, Attribute::Value(T()));
  }
  [[noreturn]] void failOfType(std::string_view name, const Attribute::Value& found,
                               const Attribute::Value& expected) const;

  const Origin& origin_;
  const Node& node_;
  const Values& values_;
  const BuildBranch& buildBranch_;
  std::vector<OnnxChoice>* choices_;
};

/// Whole numbers as floats, the nearest ones beyond 2^24.
Tensor<float> numbersOf(const Integers& whole);

/// Returns f(x, shape of x): at once if the shape is known when the network is built, else in each pass.
template <class F>
TensorLayer withShape(const TensorLayer& x, F f) {
  if (const Shape* known = x.node()->knownShape()) return f(x, *known);
  return TensorLayer(
      forward(x).flatMap([x, f](const auto& tape) { return forward(TensorLayer(f(x, tape.data.shape()))); }));
}

/// Fails for a list that is no shape of a tensor.
Shape shapeFrom(const Place& place, const std::vector<std::int64_t>& extents);

/// Makes the outputs of a node.
using Handler = std::vector<Value> (*)(const Call& call);
using Handlers = std::map<std::string_view, Handler>;

/// The handler of f(input 0), where f captures nothing.
template <class F>
constexpr Handler unaryOf(F) {
  return [](const Call& call) -> std::vector<Value> { return {TensorLayer(F{}(call.layer(0)))}; };
}
/// The handler of f(input 0, input 1).
template <class F>
constexpr Handler binaryOf(F) {
  return
      [](const Call& call) -> std::vector<Value> { return {TensorLayer(F{}(call.layer(0), call.layer(1)))}; };
}

// The operations that are known, by family.
void addElementwise(Handlers& handlers);
void addActivations(Handlers& handlers);
void addConvolutions(Handlers& handlers);
void addLayouts(Handlers& handlers);
void addLosses(Handlers& handlers);
void addProducts(Handlers& handlers);
void addReductions(Handlers& handlers);
void addShapes(Handlers& handlers);

}  // namespace tapestry::onnx
