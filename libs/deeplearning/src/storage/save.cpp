#include <tapestry/deeplearning/storage/save.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <tapestry/deeplearning/detail/value.hpp>

#include "model_names.hpp"
#include "safetensors_file.hpp"

namespace tapestry {

namespace {

template <class T>
NamedArray arrayOf(const Tensor<T>& value) {
  return value;
}
template <class T>
NamedArray arrayOf(const Table<T>& table) {
  return table.dense();
}

NamedArray arrayOf(float value) { return Tensor<float>::scalar(value); }
NamedArray arrayOf(double value) { return Tensor<double>::scalar(value); }
NamedArray arrayOf(std::uint64_t count) { return Integers{{}, {static_cast<std::int64_t>(count)}}; }

/// A part that does not exist yet becomes an empty array.
template <class V>
NamedArray arrayOf(const std::optional<V>& part) {
  return part ? arrayOf(*part) : NamedArray(Tensor<detail::ElementOf<V>>::zeros({0}));
}

[[noreturn]] void refuse(const std::string& name, const std::string& problem) {
  throw std::invalid_argument("tapestry::save: \"" + name + "\": " + problem);
}

template <class Data>
void addState(NamedArrays& file, const std::string& name,
              const std::optional<detail::StateParts<Data>>& parts) {
  if (!parts)
    refuse(name,
           "the optimizer cannot be saved, got a State that does not tell its parts, "
           "expected State::parts(state, f)");
  for (const auto& [part, value] : *parts) {
    if (part.find('/') != std::string::npos)
      refuse(name, "a part's name cannot be saved, got \"" + part + "\", expected one without /");
    file.arrays.emplace(prefixOfState(name) + part,
                        std::visit([](const auto& typed) { return arrayOf(typed); }, value));
  }
}

template <class Data>
void addWeight(NamedArrays& file, const std::string& name, const Weight<Data>& weight, SaveOptions options) {
  const auto [value, stepper] = weight.node()->snapshot();
  file.arrays.emplace(name, arrayOf(*value));
  if (options.optimizers) addState(file, name, stepper->parts());
}
template <class Data>
void addWeight(NamedArrays& file, const std::string& name, const RunningAverage<Data>& average, SaveOptions) {
  file.arrays.emplace(name, arrayOf(average.data()));
}
void addWeight(NamedArrays& file, const std::string& name, const detail::OwnWeight& weight,
               SaveOptions options) {
  if (!weight.hasForm())
    refuse(name, "the weight cannot be saved, got data of one's own, expected a TensorForm of them");
  std::visit(
      [&](const auto& form) {
        file.arrays.emplace(name, arrayOf(form.value));
        if (options.optimizers) addState(file, name, form.parts);
      },
      weight.form());
}

}  // namespace

void save(const std::filesystem::path& path, const Weights& weights, SaveOptions options) {
  NamedArrays file;
  forEachWeight(weights, [&](const std::string& name, const auto& weight) {
    if (name.starts_with(optimizerPrefix))
      refuse(name, "the name cannot be saved, got one that begins with optimizer/, expected another");
    addWeight(file, name, weight, options);
  });
  writeSafetensors(path, file, "save");
}

}  // namespace tapestry
