// Models of device tensors in files: the same files as those of the host's models, and optimizers of a whole
// model.
#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <tapestry/storage.hpp>

#include "compute/deeplearning/support.hpp"
#include "support/system/temporary_directory.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using ModelHost = Tensor<float>;
using ModelDevice = DeviceTensor<float>;

/// Two dense layers.
template <class X>
struct FileModel {
  explicit FileModel(std::uint64_t seed, const PlaceOf<X>& at = {}) : FileModel(Generator(seed), at) {}
  FileModel(Generator generator, const PlaceOf<X>& at)
      : place(at), first(4, 3, generator, place), second(3, 2, generator, place) {}

  void steps(int count, float input = 0.5F) const {
    const X x = place(ModelHost({2, 4}, {1, -1, input, 2, 0, 1, -2, 1}));
    for (int i = 0; i < count; ++i)
      train(mean(tanh(second(tanh(first(x)))) * place(ModelHost({2, 2}, {1, 2, -1, 1})))).blockingAwait();
  }
  Weights weights() const { return {{"first", first}, {"second", second}}; }
  std::vector<ModelHost> values() const {
    std::vector<ModelHost> all;
    for (const auto& weight : {first.weight, first.bias, second.weight, second.bias})
      all.push_back(valuesOf(weight.data()));
    return all;
  }

  const PlaceOf<X> place;
  const Dense<X> first, second;
};
static_assert(TensorOfDevice<ModelDevice> && !TensorOfDevice<ModelHost>);

using HostModel = FileModel<ModelHost>;
using DeviceModel = FileModel<ModelDevice>;

bool areClose(const std::vector<ModelHost>& a, const std::vector<ModelHost>& b) {
  bool are = a.size() == b.size();
  for (std::size_t i = 0; are && i < a.size(); ++i) are = isClose(a[i], b[i], 1e-5);
  return are;
}

/// Trains on the device, then on the host, then on the device, and on the host alone.
template <class Rule>
void checkMoves(const Rule& rule) {
  const TemporaryDirectory directory;
  const HostModel whole(1);
  whole.weights().setOptimizer(rule);
  whole.steps(9);
  const DeviceModel first(1), third(2);
  const HostModel second(3);
  first.weights().setOptimizer(rule);
  second.weights().setOptimizer(rule);
  third.weights().setOptimizer(rule);
  first.steps(3);
  save(directory / "first", first);
  load(directory / "first", second);
  CHECK(second.values() == first.values());
  second.steps(3);
  save(directory / "second", second);
  third.steps(2);  // the learnt state is replaced
  load(directory / "second", third);
  CHECK(third.values() == second.values());
  save(directory / "third", third);
  CHECK(loadSafetensors(directory / "third").arrays == loadSafetensors(directory / "second").arrays);
  third.steps(3);
  CHECK(areClose(third.values(), whole.values()));
}

}  // namespace

TEST_CASE(
    "a model moves by a file from a device to the host and back, and trains on as if it had not moved") {
  SUBCASE("sgd with a schedule") { checkMoves(sgd(stepDecay({.initial = 0.1, .every = 2}))); }
  SUBCASE("momentum") { checkMoves(momentum({.learningRate = 0.1})); }
  SUBCASE("nesterov") { checkMoves(nesterov({.learningRate = 0.1})); }
  SUBCASE("adagrad") { checkMoves(adagrad({.learningRate = 0.1})); }
  SUBCASE("rmsprop") { checkMoves(rmsprop({.learningRate = 0.01})); }
  SUBCASE("adam") { checkMoves(adam({.learningRate = 0.01})); }
  SUBCASE("adamW") { checkMoves(adamW({.learningRate = 0.01})); }
  SUBCASE("a chain") {
    checkMoves(
        chain(clipByValue(0.5), l1(1e-3), l2(1e-2), weightDecay(1e-3), momentum({.learningRate = 0.1})));
  }
}

TEST_CASE("a model of a device lists its weights, counts them, and its optimizer reaches all of them") {
  const DeviceModel model(1);
  CHECK(model.weights().size() == 4);
  CHECK(model.weights().elements() == 4 * 3 + 3 + 3 * 2 + 2);
  const auto before = model.values();
  model.weights().setOptimizer(sgd(0));
  model.steps(1);
  CHECK(model.values() == before);
  model.weights().setOptimizer(sgd(0.5));
  model.steps(1);
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(model.values()[i] != before[i]);
}

TEST_CASE("Adam of a whole model is one kernel a weight") {
  const Weight<ModelDevice> w(PlaceOf<ModelDevice>()(ModelHost::full({64}, 0.5F)));
  Weights{{"w", w}}.setOptimizer(adam({}));
  const auto step = [&] { train(sum(w * w)).blockingAwait(); };
  step();
  testDevice().finish().blockingAwait();
  const auto before = testDevice().counts();
  step();
  CHECK(testDevice().counts().kernels == before.kernels + 1);  // with the delta of the square
  CHECK(testDevice().counts().uploads == before.uploads);
  CHECK(testDevice().counts().downloads == before.downloads);
}

namespace {

/// A rule that steps tensors of the host alone.
struct HostRule {
  template <class V>
  struct State {};
  template <class V>
    requires(!requires { typename V::Kernels; })
  V step(const V& weight, V, State<V>&) const {
    return weight;
  }
};

}  // namespace

TEST_CASE("a rule that takes no tensors of other libraries is refused for a model of a device") {
  const HostModel host(1);
  host.weights().setOptimizer(HostRule());
  const DeviceModel model(1);
  CHECK_THROWS_WITH_AS(
      model.weights().setOptimizer(HostRule()),
      "tapestry::Weights: the rule cannot step a weight of a device, got one for tensors of the "
      "host, expected a rule of any V",
      std::invalid_argument);
}

TEST_CASE("programs save and load a model of a device without a thread that waits") {
  const TemporaryDirectory directory;
  const DeviceModel model(1), other(2);
  model.weights().setOptimizer(adam({}));
  other.weights().setOptimizer(adam({}));
  const Do<void> program = saving(directory / "m", model);
  model.steps(2);
  program.blockingAwait();  // saves the values of the moment when it runs
  loading(directory / "m", other).blockingAwait();
  CHECK(other.values() == model.values());
  model.steps(1);
  other.steps(1);
  CHECK(other.values() == model.values());
}

TEST_CASE("a constant weight is loaded to the device of the weight before it, or of the first that has one") {
  const TemporaryDirectory directory;
  const Weight<ModelDevice> a(ModelDevice::zeros({2})), b(PlaceOf<ModelDevice>()(ModelHost({1}, {7}))),
      c(ModelDevice::zeros({3}));
  const Weights weights{{"a", a}, {"b", b}, {"c", c}};
  save(directory / "zeros", weights);
  CHECK(std::get<ModelHost>(loadSafetensors(directory / "zeros").arrays.at("c")) == ModelHost::zeros({3}));
  saveSafetensors(
      directory / "m",
      {{{"a", ModelHost({2}, {1, 2})}, {"b", ModelHost({1}, {3})}, {"c", ModelHost({3}, {4, 5, 6})}}, {}});
  load(directory / "m", weights);
  CHECK(hostOf(a.data()) == ModelHost({2}, {1, 2}));
  CHECK(hostOf(b.data()) == ModelHost({1}, {3}));
  CHECK(hostOf(c.data()) == ModelHost({3}, {4, 5, 6}));
  CHECK(a.data().device() == testDevice());
  const Weight<ModelDevice> lonely(ModelDevice::zeros({1}));
  saveSafetensors(directory / "l", {{{"l", ModelHost({1}, {3})}}, {}});
  CHECK_THROWS_WITH_AS(load(directory / "l", Weights{{"l", lonely}}),
                       "tapestry::load: \"l\": the weight has no device, got a constant in a model without a "
                       "weight that has one, expected a tensor of a device",
                       std::invalid_argument);
}

TEST_CASE("the running averages of a device are in the file of the model") {
  const TemporaryDirectory directory;
  const auto batch = ModelHost({2, 2}, {1, -3, 4, 2});
  const auto trainOn = [&]<class X>(const BatchNorm<X>& norm, const PlaceOf<X>& place) {
    train(mean(tanh(norm(place(batch))))).blockingAwait();
  };
  const BatchNorm<ModelHost> host(2), loaded(2);
  const PlaceOf<ModelDevice> place;
  const BatchNorm<ModelDevice> device(2, 0.1, place), other(2, 0.1, place);
  CHECK(device.weights().elements() == 4);
  trainOn(host, {});
  trainOn(device, place);
  save(directory / "m", device);
  load(directory / "m", loaded);
  CHECK(isClose(loaded.statistics.mean.data(), host.statistics.mean.data(), 1e-5));
  CHECK(isClose(loaded.statistics.variance.data(), host.statistics.variance.data(), 1e-5));
  save(directory / "h", loaded);
  load(directory / "h", other);
  CHECK(hostOf(other.statistics.mean.data()) == loaded.statistics.mean.data());
  CHECK(hostOf(other.statistics.variance.data()) == loaded.statistics.variance.data());
}

TEST_CASE("a file that does not fit sets no weight of a device") {
  const TemporaryDirectory directory;
  const DeviceModel model(1);
  const auto before = model.values();
  const auto refuses = [&](const char* name, const NamedArray& array) {
    save(directory / "good", model);
    NamedArrays arrays = loadSafetensors(directory / "good");
    arrays.arrays["first.weight"] = ModelHost::full({4, 3}, 9);
    arrays.arrays[name] = array;
    saveSafetensors(directory / "m", arrays);
    CHECK_THROWS_AS(load(directory / "m", model), FileError);
    CHECK(model.values() == before);
  };
  refuses("second.bias", ModelHost::zeros({3}));
  refuses("second.bias", Tensor<double>::zeros({2}));
  refuses("second.bias", ModelHost({2}, {1, std::numeric_limits<float>::infinity()}));
  refuses("third", ModelHost::zeros({3}));
}
