#include "model_file.hpp"

#include <algorithm>
#include <concepts>
#include <set>
#include <utility>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/concat.hpp>
#include <tapestry/tensor/kernels/transpose.hpp>
#include <tapestry/tensor/kernels/view.hpp>
#include <tapestry/tensor/storage/file_error.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

namespace tapestry {

namespace {

/// Makes the arrays; errors name the weight that is being made, and the array.
class ArrayMaker {
 public:
  ArrayMaker(const std::filesystem::path& path, const NamedArrays& file) : path_(path), file_(file) {}

  /// Precondition: there are terms.
  NamedArray make(const std::string& weight, const FromArrays& made) {
    weight_ = weight;
    const auto& terms = made.terms();
    NamedArray sum = value(terms.front());
    for (std::size_t i = 1; i < terms.size(); ++i) sum = added(sum, value(terms[i]));
    if (made.constant() == 0) return sum;
    return std::visit([&](const auto& typed) { return shifted(typed, made.constant()); }, sum);
  }

  const std::set<std::string>& used() const noexcept { return used_; }

 private:
  NamedArray value(const FromArrays::Term& term) {
    name_ = term.name;
    const auto found = file_.arrays.find(term.name);
    if (found == file_.arrays.end()) {
      std::vector<std::string> names;
      for (const auto& [name, array] : file_.arrays) names.push_back(name);
      fail("no such array, got " + textOf(names) + ", expected \"" + term.name + "\"");
    }
    used_.insert(term.name);
    NamedArray array = found->second;
    for (const auto& step : term.steps)
      array = std::visit([&](const auto& typed) { return changed(typed, step); }, array);
    return array;
  }

  template <class T>
  NamedArray changed(const Tensor<T>& x, const FromArrays::Step& step) const {
    using Kind = FromArrays::Step::Kind;
    if (step.kind == Kind::transpose) {
      if (x.rank() != 2) fail("no matrix, got " + toString(x.shape()) + ", expected two axes to exchange");
      return kernels::transpose(x);
    }
    if (x.rank() == 0 || step.count == 0 || x.shape()[0] % step.count != 0)
      fail("no equal parts, got " + toString(x.shape()) + ", expected a first axis of " +
           std::to_string(step.count) + " of them");
    const auto extent = static_cast<std::ptrdiff_t>(x.shape()[0] / step.count);
    std::vector<Tensor<T>> parts;
    for (const auto index : step.order) {
      const auto first = static_cast<std::ptrdiff_t>(index) * extent;
      const Slice slice{first, first + extent};
      parts.push_back(kernels::read(x, kernels::View::sliced(x.shape(), std::vector{slice}, "load")));
    }
    return kernels::concat(parts, 0);
  }
  NamedArray changed(const Integers& integers, const FromArrays::Step&) const {
    fail("whole numbers, got I64 " + toString(integers.shape) + ", expected numbers");
  }

  NamedArray added(const NamedArray& a, const NamedArray& b) const {
    return std::visit(
        [&]<class X, class Y>(const X& x, const Y& y) -> NamedArray {
          if constexpr (std::same_as<X, Y> && !std::same_as<X, Integers>)
            if (x.shape() == y.shape()) return kernels::add(x, y);
          fail("the terms differ, got arrays of two types or shapes, expected one type and shape to add up");
        },
        a, b);
  }

  template <class T>
  NamedArray shifted(const Tensor<T>& x, double constant) const {
    return kernels::add(x, static_cast<T>(constant));
  }
  NamedArray shifted(const Integers& integers, double) const {
    fail("whole numbers, got I64 " + toString(integers.shape) + ", expected numbers");
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw FileError("load", path_, "\"" + weight_ + "\" from \"" + name_ + "\": " + problem);
  }

  const std::filesystem::path& path_;
  const NamedArrays& file_;
  std::set<std::string> used_;
  std::string weight_;
  std::string name_;
};

template <class T>
NamedArray filled(const Shape& shape, double value) {
  return Tensor<T>::full(shape, static_cast<T>(value));
}

/// The value in each element, of the weight's type and shape.
template <class W>
NamedArray constantFor(const std::string& name, const W& weight, double value) {
  if constexpr (std::same_as<W, detail::OwnWeight>) {
    weight.requireForm("load", name, "loaded");
    return std::visit(
        [&]<class T>(const detail::WeightForm<T>& form) { return filled<T>(form.value.shape(), value); },
        *weight->blankForm());
  } else {
    return filled<detail::ElementOf<typename W::Data>>(shapeOfWeight(weight), value);
  }
}

}  // namespace

NamedArrays mappedArrays(const std::filesystem::path& path, NamedArrays file, const Weights& weights,
                         const ArrayMap& map) {
  NamedArrays result{{}, std::move(file.metadata)};
  ArrayMaker maker(path, file);
  std::set<std::string> unknown, unmapped;
  for (const auto& [name, made] : map.weights()) unknown.insert(name);
  forEachWeight(weights, [&](const std::string& name, const auto& weight) {
    const auto entry = std::ranges::find(map.weights(), name, &std::pair<std::string, FromArrays>::first);
    if (entry == map.weights().end()) return static_cast<void>(unmapped.insert(name));
    unknown.erase(name);
    const FromArrays& made = entry->second;
    result.arrays.emplace(
        name, made.terms().empty() ? constantFor(name, weight, made.constant()) : maker.make(name, made));
  });
  if (!unknown.empty())
    throw std::invalid_argument("tapestry::load: the map has a weight that the model does not have, got \"" +
                                *unknown.begin() + "\", expected names of the model");
  for (const auto& name : maker.used())
    if (!unmapped.contains(name)) file.arrays.erase(name);
  for (const auto& name : map.ignored()) file.arrays.erase(name);
  for (auto& [name, array] : file.arrays)
    if (!result.arrays.emplace(name, std::move(array)).second)
      throw FileError("load", path,
                      "an array has the name of a weight that the map makes, got " + excerpt(name) +
                          ", expected it to be used or ignored");
  return result;
}

}  // namespace tapestry
