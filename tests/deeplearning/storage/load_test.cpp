#include <tapestry/deeplearning/storage/load.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "support/system/temporary_directory.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/arithmetic/subtract.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/optimizers/adagrad.hpp"
#include "tapestry/deeplearning/optimizers/adam_w.hpp"
#include "tapestry/deeplearning/optimizers/clip_by_value.hpp"
#include "tapestry/deeplearning/optimizers/cosine_decay.hpp"
#include "tapestry/deeplearning/optimizers/l2.hpp"
#include "tapestry/deeplearning/optimizers/momentum.hpp"
#include "tapestry/deeplearning/optimizers/nesterov.hpp"
#include "tapestry/deeplearning/optimizers/rmsprop.hpp"
#include "tapestry/deeplearning/optimizers/step_decay.hpp"
#include "tapestry/deeplearning/optimizers/weight_decay.hpp"
#include "tapestry/deeplearning/storage/safetensors.hpp"
#include "tapestry/deeplearning/storage/save.hpp"
#include "tapestry/deeplearning/train.hpp"

namespace {

using namespace tapestry;
using tapestry::test::TemporaryDirectory;

/// All four types of weights.
struct Model {
  TensorWeight a = TensorWeight(Tensor<float>({2, 2}, {0.1f, -0.2f, 0.3f, 0.4f}));
  DoubleTensorWeight b = DoubleTensorWeight(Tensor<double>({3}, {1.1, -1.2, 1.3}));
  FloatWeight c = FloatWeight(0.7f);
  DoubleWeight d = DoubleWeight(-0.9);

  Weights weights() const { return {{"a", a}, {"b", b}, {"c", c}, {"d", d}}; }

  /// The gradients differ in every step.
  void step() const {
    const auto shifted = a - Tensor<float>({2, 2}, {1, 2, 3, 4});
    train(sum(shifted * shifted * c) + sum(b * b * b) * d * d).blockingAwait();
  }
  void steps(int count) const {
    for (int i = 0; i < count; ++i) step();
  }
  friend bool operator==(const Model& x, const Model& y) {
    return x.a.data() == y.a.data() && x.b.data() == y.b.data() && x.c.data() == y.c.data() &&
           x.d.data() == y.d.data();
  }
};

/// The message of loading a model from a file of these arrays; nothing must have changed.
std::string problem(const NamedArrays& arrays, const Weights& weights, LoadOptions options = {}) {
  const TemporaryDirectory directory;
  save(directory / "before", weights);
  saveSafetensors(directory / "m", arrays);
  auto text = directory.errorOf([&] { load(directory / "m", weights, options); });
  save(directory / "after", weights);
  if (text != "none") CHECK(directory.read("before") == directory.read("after"));
  const std::string start = "tapestry::load: m: ";
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

template <class Rule>
void checkContinues(const Rule& rule) {
  const TemporaryDirectory directory;
  const Model whole;
  whole.weights().setOptimizer(rule);
  whole.steps(10);
  const Model before;
  before.weights().setOptimizer(rule);
  before.steps(5);
  save(directory / "m", before);
  const Model after;
  after.weights().setOptimizer(rule);
  after.steps(3);  // the learnt state is replaced
  load(directory / "m", after);
  CHECK(after == before);
  after.steps(5);
  CHECK(after == whole);
  // and the state did matter, or this shows nothing
  const Model forgetful;
  load(directory / "m", forgetful, {.optimizers = false});
  forgetful.weights().setOptimizer(rule);
  forgetful.steps(5);
  CHECK(!(forgetful == whole));
}

NamedArrays arraysOf(const Weights& weights, SaveOptions options = {}) {
  const TemporaryDirectory directory;
  save(directory / "m", weights, options);
  return loadSafetensors(directory / "m");
}

}  // namespace

TEST_CASE("training continues after load bit for bit as without the interruption") {
  SUBCASE("sgd with a schedule") { checkContinues(sgd(stepDecay({.initial = 0.01, .every = 2}))); }
  SUBCASE("momentum") { checkContinues(momentum({.learningRate = 0.01})); }
  SUBCASE("nesterov") { checkContinues(nesterov({.learningRate = 0.01})); }
  SUBCASE("adagrad") { checkContinues(adagrad({.learningRate = 0.01})); }
  SUBCASE("rmsprop") { checkContinues(rmsprop({.learningRate = 0.01})); }
  SUBCASE("adam") { checkContinues(adam({.learningRate = 0.01})); }
  SUBCASE("adamW") { checkContinues(adamW({.learningRate = 0.01})); }
  SUBCASE("a chain") {
    checkContinues(chain(clipByValue(3), l2(0.01), weightDecay(cosineDecay({.initial = 0.02, .steps = 10})),
                         momentum({.learningRate = stepDecay({.initial = 0.01, .every = 3})})));
  }
}

TEST_CASE("an optimizer that has not taken a step is loaded as such") {
  const Model saved;
  saved.weights().setOptimizer(adam({.learningRate = 0.01}));
  const Model loaded;
  loaded.weights().setOptimizer(adam({.learningRate = 0.01}));
  loaded.steps(2);
  CHECK(problem(arraysOf(saved.weights()), loaded.weights()) == "none");
  saved.steps(3);
  loaded.steps(3);
  CHECK(saved == loaded);
}

TEST_CASE("a moment of adam that a file has not got is zero after load") {
  const auto loaded = [](const char* missing, const Shape& shape) {
    const TensorWeight w(Tensor<float>({2}, {1, 2}), adam({.learningRate = 0.1}));
    train(sum(w * w)).blockingAwait();
    auto arrays = arraysOf({{"w", w}});
    std::size_t found = 0;
    for (auto& [name, array] : arrays.arrays)
      if (name.ends_with(missing)) {
        array = Tensor<float>::zeros(shape);
        ++found;
      }
    CHECK(found == 1);
    CHECK(problem(arrays, {{"w", w}}) == "none");
    train(sum(w)).blockingAwait();
    return w.data();
  };
  for (const char* moment : {"/first", "/second"}) CHECK(loaded(moment, {0}) == loaded(moment, {2}));
}

TEST_CASE("a file of weights alone is loaded, and the optimizers keep their state") {
  const DoubleWeight w(1, momentum({.learningRate = 0.5, .momentum = 1}));
  train(w * 2.0).blockingAwait();
  CHECK(problem({{{"w", Tensor<double>::scalar(10)}}, {{"format", "pt"}}}, {{"w", w}}) == "none");
  CHECK(w.data() == 10);
  train(w * 2.0).blockingAwait();
  CHECK(w.data() == 8);  // the velocity is 4
}

TEST_CASE("the optimizers' state in a file may be left aside") {
  const DoubleWeight saved(1, adam());
  const DoubleWeight w(2, sgd(0.5));
  CHECK(problem(arraysOf({{"w", saved}}), {{"w", w}}, {.optimizers = false}) == "none");
  CHECK(w.data() == 1);
}

TEST_CASE("a weight of two names is set from the first") {
  const DoubleWeight w(1);
  CHECK(problem({{{"b", Tensor<double>::scalar(5)}}, {}}, {{"b", w}, {"a", w}}) == "none");
  CHECK(w.data() == 5);
}

TEST_CASE("names that the model or the file does not have are errors, and nothing is set") {
  const Weights weights{{"a", DoubleWeight(1)}, {"b", DoubleWeight(2)}};
  const auto scalar = Tensor<double>::scalar(7);
  CHECK(problem({{{"a", scalar}, {"b.c", scalar}}, {}}, weights) ==
        "weights are missing, got \"b.c\" besides the model's, expected \"b\"");
  CHECK(problem({{{"a", scalar}}, {}}, weights) ==
        "weights are missing, got none besides the model's, expected \"b\"");
  CHECK(problem({{{"a", scalar}, {"b", scalar}, {"c", scalar}}, {}}, weights) ==
        "weights that the model does not have, got \"c\", expected none besides the model's");
  const std::string control = "c\n\x1b[2J";
  CHECK(problem({{{"a", scalar}, {"b", scalar}, {control, scalar}}, {}}, weights) ==
        "weights that the model does not have, got \"c??[2J\", expected none besides the model's");
  CHECK(problem({{{"a", scalar}, {"b", scalar}, {"optimizer/" + control, scalar}}, {}}, weights) ==
        "the state of no optimizer, got \"optimizer/c??[2J\", expected optimizer/WEIGHT/PART");
}

TEST_CASE("another type or shape is an error, and nothing is set") {
  const Weights weights{{"a", DoubleWeight(1)}, {"b", TensorWeight(Tensor<float>::zeros({2, 3}))}};
  const auto b = [&](const NamedArray& array) {
    return problem({{{"a", Tensor<double>::scalar(7)}, {"b", array}}, {}}, weights);
  };
  CHECK(b(Tensor<float>::zeros({3, 2})) ==
        "\"b\": another type or shape, got F32 [3, 2], expected F32 [2, 3]");
  CHECK(b(Tensor<double>::zeros({2, 3})) ==
        "\"b\": another type or shape, got F64 [2, 3], expected F32 [2, 3]");
  CHECK(b(Integers{{1}, {1}}) == "\"b\": another type or shape, got I64 [1], expected F32 [2, 3]");
  CHECK(problem({{{"a", Tensor<double>::zeros({1})}, {"b", Tensor<float>::zeros({2, 3})}}, {}}, weights) ==
        "\"a\": another type or shape, got F64 [1], expected F64 []");
}

TEST_CASE("weights that are not finite are errors, and nothing is set, unless an option permits them") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const DoubleTensorWeight w(Tensor<double>({2}, {1, 2}));
  CHECK(problem({{{"w", Tensor<double>({2}, {1, nan})}}, {}}, {{"w", w}}) ==
        "\"w\": not finite, got nan as element 1 of [2], expected finite numbers (or load with {.finite = "
        "false})");
  const FloatWeight scalar(1);
  CHECK(
      problem({{{"s", Tensor<float>::scalar(-std::numeric_limits<float>::infinity())}}, {}}, {{"s", scalar}})
          .starts_with("\"s\": not finite, got -inf as element 0 of []"));
  const TemporaryDirectory directory;
  saveSafetensors(directory / "m", {{{"w", Tensor<double>({2}, {1, nan})}}, {}});
  load(directory / "m", Weights{{"w", w}}, {.finite = false});
  CHECK(w.data()(0) == 1);
  CHECK(std::isnan(w.data()(1)));
}

TEST_CASE("an optimizer of another kind than the saved is an error, and nothing is set") {
  const auto problemOf = [](const Optimizer<double>& saved, const Optimizer<double>& present) {
    return problem(arraysOf({{"w", DoubleWeight(1, saved)}}), {{"w", DoubleWeight(2, present)}});
  };
  CHECK(
      problemOf(adam(), momentum({})) ==
      "\"w\": the optimizer is of another kind, got one that keeps \"first\", \"second\", \"steps\", "
      "expected one that keeps \"steps\", \"velocity\" (or load with {.optimizers = false}, which reads the "
      "weights alone)");
  CHECK(problemOf(sgd(0.1), chain(clipByValue(1), sgd(0.1))) ==
        "\"w\": the optimizer is of another kind, got one that keeps \"steps\", "
        "expected one that keeps \"0.steps\" (or load with {.optimizers = false}, which reads the weights "
        "alone)");
  CHECK(problemOf(adagrad({}), rmsprop({})).starts_with("\"w\": the optimizer is of another kind"));
}

TEST_CASE("rules whose states have the same parts can take each other's saved state") {
  const auto goesOn = [](const auto& saved, const auto& present, const auto& same) {
    const TemporaryDirectory directory;
    const Model before;
    before.weights().setOptimizer(saved);
    before.steps(3);
    save(directory / "m", before);
    const auto finished = [&](const auto& rule) {
      const Model after;
      after.weights().setOptimizer(rule);
      load(directory / "m", after);
      after.steps(2);
      return after;
    };
    return finished(present) == finished(same);
  };
  CHECK(goesOn(adam(), adamW({.weightDecay = 0}), adam()));
  CHECK_FALSE(goesOn(adam(), adamW({.weightDecay = 0.1}), adam()));
  CHECK_FALSE(goesOn(momentum({}), nesterov({}), momentum({})));
  const auto velocity = [](const auto& rule) {
    const DoubleWeight w(1, rule);
    for (int i = 0; i < 2; ++i) train(w * 3.0).blockingAwait();
    return arraysOf({{"w", w}}).arrays.at("optimizer/w/velocity");
  };
  CHECK(velocity(momentum({})) == velocity(nesterov({})));
}

TEST_CASE("a state that does not fit its weight is an error, and nothing is set") {
  const TensorWeight w(Tensor<float>::zeros({2}), momentum({}));
  const auto state = [&](const NamedArray& velocity, const NamedArray& steps) {
    return problem(
        {{{"w", Tensor<float>::zeros({2})}, {"optimizer/w/velocity", velocity}, {"optimizer/w/steps", steps}},
         {}},
        {{"w", w}});
  };
  CHECK(state(Tensor<float>::zeros({2}), Integers{{}, {3}}) == "none");
  CHECK(state(Tensor<float>::zeros({0}), Integers{{}, {0}}) == "none");
  CHECK(state(Tensor<float>::zeros({3}), Integers{{}, {3}}) ==
        "\"optimizer/w/velocity\": another type or shape, got F32 [3], expected F32 [2]");
  CHECK(state(Tensor<double>::zeros({0}), Integers{{}, {3}}) ==
        "\"optimizer/w/velocity\": another type or shape, got F64 [0], expected F32 [2]");
  CHECK(state(Tensor<float>::zeros({2}), Integers{{}, {-1}}) ==
        "\"optimizer/w/steps\": no count, got -1, expected I64 [] of at least 0");
  CHECK(state(Tensor<float>::zeros({2}), Tensor<float>::scalar(1)) ==
        "\"optimizer/w/steps\": no count, got F32 [], expected I64 [] of at least 0");
  CHECK(problem({{{"w", Tensor<float>::zeros({2})}, {"optimizer/x/steps", Integers{{}, {1}}}}, {}},
                {{"w", w}}) ==
        "the state of no optimizer, got \"optimizer/x/steps\", expected optimizer/WEIGHT/PART");
  const RunningAverage<Tensor<double>> average(Tensor<double>({1}, {2}));
  CHECK(problem({{{"m", Tensor<double>::zeros({1})}, {"optimizer/m/steps", Integers{{}, {1}}}}, {}},
                {{"m", average}}) ==
        "the state of no optimizer, got \"optimizer/m/steps\", expected optimizer/WEIGHT/PART");
}

TEST_CASE("notes are read from the header alone, whatever arrays the file has") {
  const TemporaryDirectory directory;
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"a":{"dtype":"I8","shape":[9],"data_offsets":[0,9]}})";
  const std::string length{static_cast<char>(header.size()), 0, 0, 0, 0, 0, 0, 0};
  CHECK(notesOf(directory.write("m", length + header)) == Notes{{"format", "pt"}});
}

TEST_CASE("a corrupt file of a model names the operation and the file") {
  const TemporaryDirectory directory;
  CHECK(directory.errorOf([&] { load(directory.write("m", "short"), Model()); }) ==
        "tapestry::load: m: truncated, got 5 bytes, expected at least 8");
  CHECK(directory.errorOf([&] { load(directory / "none", Model()); }) ==
        "tapestry::load: none: no such file, expected a readable file");
  CHECK(directory.errorOf([&] { (void)notesOf(directory / "m"); }) ==
        "tapestry::notesOf: m: truncated, got 5 bytes, expected at least 8");
}
