#include <tapestry/deeplearning/storage/model_arrays.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tapestry/continuation/blocking.hpp>
#include <tapestry/deeplearning/detail/elements.hpp>
#include <tapestry/raii/do_tuple2.hpp>
#include <tapestry/raii/on.hpp>

#include "model_file.hpp"
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
           "the optimizer cannot be saved, got a State that does not list its parts, "
           "expected State::parts(state, f)");
  for (const auto& [part, value] : *parts) {
    if (part.find('/') != std::string::npos)
      refuse(name, "a part's name cannot be saved, got \"" + part + "\", expected one without /");
    NamedArray array = std::visit([](const auto& typed) { return arrayOf(typed); }, value);
    if (!file.arrays.emplace(prefixOfState(name) + part, std::move(array)).second)
      refuse(name, "a part's name occurs twice, got \"" + part + "\", expected each once");
  }
}

void addWeight(NamedArrays& file, const std::string& name, const auto& weight, const SaveOptions& options) {
  const auto [value, stepper] = weight.node()->snapshot();
  file.arrays.emplace(name, arrayOf(*value));
  if (options.optimizers) addState(file, name, stepper->parts());
}
void addForm(NamedArrays& file, const std::string& name, const detail::AnyWeightForm& any,
             const SaveOptions& options) {
  std::visit(
      [&](const auto& form) {
        file.arrays.emplace(name, arrayOf(form.value));
        if (options.optimizers) addState(file, name, form.parts);
      },
      any);
}

/// Yields what the file has.
Do<NamedArrays> contentsOf(const Weights& weights, const SaveOptions& options) {
  auto file = std::make_shared<NamedArrays>();
  file->metadata = options.notes;
  // weights of other types, whose values may have to be fetched
  std::vector<std::string> names;
  std::vector<Do<detail::SharedWeightForm>> fetched;
  forEachWeight(weights, [&]<class W>(const std::string& name, const W& weight) {
    if (name.starts_with(optimizerPrefix))
      refuse(name, "the name cannot be saved, got one that begins with optimizer/, expected another");
    if constexpr (std::same_as<W, detail::OwnWeight>) {
      weight.requireForm("save", name, "saved");
      names.push_back(name);
      fetched.push_back(weight->form(options.optimizers));
    } else {
      addWeight(*file, name, weight, options);
    }
  });
  return parSequence(fetched, detail::Location())
      .map([file, names, options](const std::vector<detail::SharedWeightForm>& forms) {
        NamedArrays all = *file;  // the program may run again
        for (std::size_t i = 0; i < names.size(); ++i) addForm(all, names[i], *forms[i], options);
        return all;
      });
}

}  // namespace

Do<NamedArrays> modelArrays(const Weights& weights, SaveOptions options) {
  return Do<NamedArrays>::suspend([weights, options] { return contentsOf(weights, options); });
}

void save(const std::filesystem::path& path, const Weights& weights, SaveOptions options) {
  writeSafetensors(path, contentsOf(weights, options).blockingAwait(), "save");
}

Do<void> saving(const std::filesystem::path& path, const Weights& weights, SaveOptions options) {
  return modelArrays(weights, options).flatMap([path](const NamedArrays& file) {
    return on(blockingThreads(), Do<void>::delay([path, file] { writeSafetensors(path, file, "save"); }));
  });
}

}  // namespace tapestry
