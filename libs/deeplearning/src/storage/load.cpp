#include <tapestry/deeplearning/storage/model_arrays.hpp>

#include <any>
#include <concepts>
#include <exception>
#include <memory>
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

using detail::OwnWeight;
using detail::Ref;
using detail::Stepper;
using detail::Update;

/// Returns the optimizer of a weight of this shape with the state from the file.
template <class Data>
Ref<const Stepper<Data>> restored(const ModelFile& file, const std::string& name, const Shape& shape,
                                  const Ref<const Stepper<Data>>& stepper) {
  auto parts = stepper->parts().value_or(detail::StateParts<Data>{});
  readParts(parts, file, name, shape);
  return parts.empty() ? stepper : stepper->with(parts);
}

template <class W>
std::unique_ptr<Update> prepare(const ModelFile& file, const std::string& name, const W& weight) {
  using Data = typename W::Data;
  const Shape shape = shapeOfWeight(weight);
  Data value = dataOf<Data>(file, name, shape);
  Ref<const Stepper<Data>> stepper;
  if (file.hasStates()) stepper = restored(file, name, shape, weight.node()->snapshot().second);
  return weight.node()->prepareWrite(std::move(value), std::move(stepper));
}
std::unique_ptr<Update> prepare(const ModelFile& file, const std::string& name, const OwnWeight& weight,
                                const std::any& device) {
  weight.requireForm("load", name, "loaded");
  auto any = *weight->blankForm();
  std::visit(
      [&]<class T>(detail::WeightForm<T>& form) {
        const Shape shape = form.value.shape();
        form.value = dataOf<Tensor<T>>(file, name, shape);
        if (!file.hasStates()) return form.parts.reset();
        if (!form.parts) form.parts.emplace();
        readParts(*form.parts, file, name, shape);
      },
      any);
  if (weight->isOfDevice()) return weight->prepare(any, device);
  try {
    return weight->prepare(any, device);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    file.fail("\"" + name + "\": " + error.what());
  }
}

using Updates = std::vector<std::unique_ptr<Update>>;

/// Constants, which have no device, are loaded to the device of the weight before, or else of the first
/// weight that has a device.
class Devices {
 public:
  explicit Devices(const Weights& weights) {
    forEachWeight(weights, [this](const std::string&, const auto& weight) {
      if (!nearest_.has_value()) see(weight);
    });
  }

  const std::any& of(const std::string& name, const OwnWeight& weight) {
    see(weight);
    if (weight->isOfDevice() && !nearest_.has_value())
      throw std::invalid_argument("tapestry::load: \"" + name +
                                  "\": the weight has no device, got a constant in a model without a weight "
                                  "that has one, expected a tensor of a device");
    return nearest_;
  }

 private:
  void see(const auto&) {}
  void see(const OwnWeight& weight) {
    if (std::any own = weight->device(); own.has_value()) nearest_ = std::move(own);
  }
  std::any nearest_;
};

/// `origin` names the arrays in errors.
std::shared_ptr<Updates> updatesFrom(const std::filesystem::path& origin, NamedArrays arrays,
                                     const Weights& weights, LoadOptions options) {
  const ModelFile file(origin, std::move(arrays), weights, options);
  Devices devices(weights);
  auto updates = std::make_shared<Updates>();
  forEachWeight(weights, [&]<class W>(const std::string& name, const W& weight) {
    if constexpr (std::same_as<W, OwnWeight>)
      updates->push_back(prepare(file, name, weight, devices.of(name, weight)));
    else
      updates->push_back(prepare(file, name, weight));
  });
  return updates;
}

/// Commits the updates when what they await has succeeded.
Do<void> committed(const std::shared_ptr<Updates>& updates) {
  std::vector<Do<void>> awaited;
  for (const auto& update : *updates)
    if (update->awaited) awaited.push_back(*update->awaited);
  return parSequence(awaited, detail::Location()).map([updates = updates](const std::vector<Unit>&) {
    for (const auto& update : *updates) update->commit();
  });
}

}  // namespace

void load(const std::filesystem::path& path, const Weights& weights, LoadOptions options) {
  setModelArrays(weights, readSafetensors(path, "load"), options, path).blockingAwait();
}

void load(const std::filesystem::path& path, const Weights& weights, const ArrayMap& map,
          LoadOptions options) {
  auto arrays = mappedArrays(path, readSafetensors(path, "load"), weights, map);
  setModelArrays(weights, std::move(arrays), options, path).blockingAwait();
}

Notes notesOf(const std::filesystem::path& path) { return readMetadata(path, "notesOf"); }

Do<void> loading(const std::filesystem::path& path, const Weights& weights, LoadOptions options) {
  const auto prepared = Do<std::shared_ptr<Updates>>::delay([path, weights, options] {
    return updatesFrom(path, readSafetensors(path, "load"), weights, options);
  });
  return on(blockingThreads(), prepared).flatMap(committed);
}

Do<void> setModelArrays(const Weights& weights, NamedArrays arrays, LoadOptions options,
                        const std::filesystem::path& origin) {
  return Do<std::shared_ptr<Updates>>::delay(
             [=, arrays = std::move(arrays)] { return updatesFrom(origin, arrays, weights, options); })
      .flatMap(committed);
}

}  // namespace tapestry
