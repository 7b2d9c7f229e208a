// Layers of device tensors: the host's values and gradients.
#include <doctest/doctest.h>

#include <concepts>
#include <tuple>
#include <vector>

#include "compute/deeplearning/support.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using LayerHost = Tensor<float>;
using LayerDevice = DeviceTensor<float>;

/// The prediction of a network and its weights after two steps. The network is made by make(generator, place)
/// and applied by apply(network, place).
template <class X>
std::vector<LayerHost> layerResults(const auto& make, const auto& apply) {
  Generator generator(3);
  const PlaceOf<X> place;
  const auto network = make(generator, place);
  const auto y = apply(network, place);
  network.weights().setOptimizer(momentum({.learningRate = 0.05}));
  std::vector<LayerHost> results{valuesOf(predict(y).blockingAwait())};
  for (int i = 0; i < 2; ++i) withSeed(7, train(mean(y * y))).blockingAwait();
  results.push_back(valuesOf(predict(y).blockingAwait()));
  return results;
}

void compareLayer(const auto& make, const auto& apply) {
  const auto expected = layerResults<LayerHost>(make, apply);
  const auto got = layerResults<LayerDevice>(make, apply);
  CHECK(!(expected[0] == expected[1]));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(isClose(got[i], expected[i], 1e-5));
  }
}

/// Numbers that are the same at any place.
template <class Place>
auto layerInput(const Shape& shape, const Place& place) {
  test::Random random(9);
  return place(random.tensor<float>(shape));
}

/// The tensors of a place.
template <class Place>
using LayerOf = std::invoke_result_t<const Place&, const LayerHost&>;

}  // namespace

static_assert(!std::constructible_from<Dense<LayerDevice>, std::size_t, std::size_t, Generator&>);
static_assert(std::constructible_from<Dense<LayerDevice>, std::size_t, std::size_t, Generator&,
                                      const PlaceOf<LayerDevice>&>);

TEST_CASE("dense layers, norms and dropout of a device compute and learn what those of the host do") {
  compareLayer(
      []<class P>(Generator& generator, const P& place) {
        using X = LayerOf<P>;
        return sequential(Dense<X>(4, 6, generator, place), LayerNorm<X>({6}, {}, place), operations::relu,
                          Dropout{.rate = 0.3}, Dense<X>(6, 3, generator, place));
      },
      [](const auto& network, const auto& place) {
        return network(layerInput({5, 4}, place));
      });
}

TEST_CASE("recurrent layers of a device compute and learn what those of the host do") {
  const auto states = [](const auto& memory, const auto& place) {
    const std::vector xs{layerInput({2, 4}, place), layerInput({2, 4}, place)};
    return memory(xs, memory.initial(2));
  };
  compareLayer(
      []<class P>(Generator& generator, const P& place) { return Gru<LayerOf<P>>(4, 3, generator, place); },
      [&](const auto& memory, const auto& place) { return states(memory, place).back(); });
  compareLayer(
      []<class P>(Generator& generator, const P& place) { return Lstm<LayerOf<P>>(4, 3, generator, place); },
      [&](const auto& memory, const auto& place) { return states(memory, place).back().hidden; });
}

TEST_CASE("attention with heads of a device computes and learns what that of the host does") {
  const auto make = []<class P>(Generator& generator, const P& place) {
    return MultiHeadAttention<LayerOf<P>>({.width = 6, .heads = 3}, generator, place);
  };
  compareLayer(make, [](const auto& attention, const auto& place) {
    return attention(layerInput({2, 4, 6}, place), kernels::Attention{.causal = true});
  });
  compareLayer(make, [](const auto& attention, const auto& place) {
    return attention(layerInput({4, 6}, place), layerInput({5, 6}, place), layerInput({4, 5}, place));
  });
}

TEST_CASE("filters and normalised batches of a device compute and learn what those of the host do") {
  compareLayer(
      []<class P>(Generator& generator, const P& place) {
        using X = LayerOf<P>;
        const auto pool = [](const auto& x) { return maxPool2d(x, {.window = 2}); };
        return sequential(Conv2d<X>({.inputs = 2, .outputs = 4, .kernel = 3, .padding = 1}, generator, place),
                          BatchNorm<X>(4, 0.1, place), operations::relu, pool,
                          Conv2d<X>({.inputs = 4, .outputs = 2, .kernel = 3, .groups = 2}, generator, place));
      },
      [](const auto& network, const auto& place) {
        return network(layerInput({3, 2, 8, 7}, place));
      });
}

TEST_CASE("an embedding of a device computes and learns what that of the host does") {
  compareLayer([]<class P>(Generator& generator,
                           const P& place) { return Embedding<LayerOf<P>>(5, 3, generator, place); },
               [](const auto& letters, const auto&) {
                 return letters(Indices{0, 4, 4, -2});
               });
}
