#include <tapestry/deeplearning/storage/save.hpp>

#include <doctest/doctest.h>

#include "support/system/temporary_directory.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/optimizers/adam.hpp"
#include "tapestry/deeplearning/optimizers/momentum.hpp"
#include "tapestry/deeplearning/storage/load.hpp"
#include "tapestry/deeplearning/storage/safetensors.hpp"
#include "tapestry/deeplearning/train.hpp"

namespace {

using namespace tapestry;
using tapestry::test::TemporaryDirectory;

/// A rule whose state does not list its parts.
struct Secretive {
  template <class V>
  struct State {
    int secret = 0;
  };
  template <class V>
  V step(const V& weight, V, State<V>&) const {
    return weight;
  }
};

/// A rule whose part has a name that the file needs for itself.
struct Slashed {
  template <class V>
  struct State {
    std::uint64_t count = 0;
    static void parts(auto& state, const auto& f) { f("a/b", state.count); }
  };
  template <class V>
  V step(const V& weight, V, State<V>&) const {
    return weight;
  }
};

/// A rule with two parts of one name.
struct Repeating {
  template <class V>
  struct State {
    std::uint64_t count = 0, other = 0;
    static void parts(auto& state, const auto& f) {
      f("count", state.count);
      f("count", state.other);
    }
  };
  template <class V>
  V step(const V& weight, V, State<V>&) const {
    return weight;
  }
};

struct Pair {
  TensorWeight matrix = TensorWeight(Tensor<float>({1, 2}, {3, 4}), momentum({.learningRate = 0.5}));
  DoubleWeight scale = DoubleWeight(2, adam());
  Weights weights() const { return {{"matrix", matrix}, {"scale", scale}}; }
};

}  // namespace

TEST_CASE("a model's file has its weights by name, and the state of their optimizers") {
  const TemporaryDirectory directory;
  const Pair pair;
  train(sum(pair.matrix * Tensor<float>({1, 2}, {2, 4}))).blockingAwait();
  save(directory / "m.safetensors", pair);
  const decltype(NamedArrays::arrays) expected{{"matrix", Tensor<float>({1, 2}, {2, 2})},
                                               {"scale", Tensor<double>::scalar(2)},
                                               {"optimizer/matrix/velocity", Tensor<float>({1, 2}, {2, 4})},
                                               {"optimizer/matrix/steps", Integers{{}, {1}}},
                                               {"optimizer/scale/first", Tensor<double>::zeros({0})},
                                               {"optimizer/scale/second", Tensor<double>::zeros({0})},
                                               {"optimizer/scale/steps", Integers{{}, {0}}}};
  CHECK(loadSafetensors(directory / "m.safetensors").arrays == expected);
}

TEST_CASE("weights alone may be saved, and a weight with two names is saved under the first name") {
  const TemporaryDirectory directory;
  const FloatWeight weight(3);
  save(directory / "m.safetensors", Weights{{"b", weight}, {"a", weight}}, {.optimizers = false});
  const decltype(NamedArrays::arrays) expected{{"b", Tensor<float>::scalar(3)}};
  CHECK(loadSafetensors(directory / "m.safetensors").arrays == expected);
}

TEST_CASE("notes travel with a model, which loads as without them") {
  const TemporaryDirectory directory;
  const Pair pair, other;
  pair.scale.setData(5);
  const Notes notes{{"classes", "lily\nröse\n"}, {"width", "64"}};
  SUBCASE("save") { save(directory / "m", pair, {.notes = notes}); }
  SUBCASE("saving") { saving(directory / "m", pair, {.notes = notes}).blockingAwait(); }
  SUBCASE("saving twice") {
    const auto program = saving(directory / "m", pair, {.optimizers = false, .notes = notes});
    program.blockingAwait();
    program.blockingAwait();
  }
  CHECK(notesOf(directory / "m") == notes);
  CHECK(loadSafetensors(directory / "m").metadata == notes);
  load(directory / "m", other);
  CHECK(other.scale.data() == 5);
  save(directory / "m", pair);
  CHECK(notesOf(directory / "m").empty());
}

TEST_CASE("a model that cannot be saved is refused before anything is written") {
  const TemporaryDirectory directory;
  const auto problem = [&](const Weights& weights) {
    return directory.errorOf([&] { save(directory / "m.safetensors", weights); });
  };
  CHECK(problem({{"w", DoubleWeight(1, Secretive())}}) ==
        "tapestry::save: \"w\": the optimizer cannot be saved, got a State that does not list its parts, "
        "expected State::parts(state, f)");
  CHECK(problem({{"w", DoubleWeight(1, Slashed())}}) ==
        "tapestry::save: \"w\": a part's name cannot be saved, got \"a/b\", expected one without /");
  CHECK(problem({{"w", DoubleWeight(1, Repeating())}}) ==
        "tapestry::save: \"w\": a part's name occurs twice, got \"count\", expected each once");
  CHECK(problem({{"optimizer/w", DoubleWeight(1)}}) ==
        "tapestry::save: \"optimizer/w\": the name cannot be saved, got one that begins with optimizer/, "
        "expected another");
  CHECK(problem({{"__metadata__", DoubleWeight(1)}}) ==
        "tapestry::save: a name is taken, got \"__metadata__\", expected another");
  const auto text = directory.errorOf([&] {
    save(directory / "m.safetensors", Pair(), {.notes = {{"classes", "\xff"}}});
  });
  CHECK(text.starts_with("tapestry::save: a text is not UTF-8, got "));
  CHECK(directory.files() == 0);
  save(directory / "m.safetensors", Weights{{"w", DoubleWeight(1, Secretive())}}, {.optimizers = false});
  CHECK(directory.files() == 1);
}

TEST_CASE("a model that cannot be written names the file and the reason") {
  const TemporaryDirectory directory;
  CHECK(directory.errorOf([&] { save(directory / "none/m.safetensors", Pair()); }) ==
        "tapestry::save: none/m.safetensors: cannot be created, got \"No such file or directory\", "
        "expected a writable file");
}
