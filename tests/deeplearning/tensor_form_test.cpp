#include <tapestry/deeplearning/tensor_form.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "support/system/temporary_directory.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/storage.hpp"

namespace {

using namespace tapestry;
using tapestry::test::TemporaryDirectory;

/// A direction of the plane, and how far it may turn.
struct Heading {
  double x = 1;
  double y = 0;
  friend bool operator==(const Heading&, const Heading&) = default;
};

/// Has no TensorForm.
struct Sealed {
  double value = 0;
};

/// Turns by the gradient. The state keeps the heading from which the next step turns.
struct Veering {
  template <class V>
  struct State {
    std::optional<V> ahead;
    std::uint64_t steps = 0;
    static void parts(auto& state, const auto& f) {
      f("ahead", state.ahead);
      f("steps", state.steps);
    }
  };
  static Heading turned(const Heading& from, double angle) {
    return {from.x * std::cos(angle) - from.y * std::sin(angle),
            from.x * std::sin(angle) + from.y * std::cos(angle)};
  }
  Heading step(const Heading& weight, double gradient, State<Heading>& state) const {
    const Heading to = turned(state.ahead.value_or(weight), -0.1 * gradient);
    state.ahead = turned(to, -0.01 * static_cast<double>(++state.steps));
    return to;
  }
};

struct StandingStill {
  template <class V>
  struct State {};
  Sealed step(const Sealed& weight, double, State<Sealed>&) const { return weight; }
};

}  // namespace

template <>
struct tapestry::DeltaTraits<Heading> {
  using Type = double;
};
template <>
struct tapestry::DeltaTraits<Sealed> {
  using Type = double;
};
template <>
struct tapestry::TensorForm<Heading> {
  static Tensor<double> toTensor(const Heading& d) { return Tensor<double>({2}, {d.x, d.y}); }
  static Heading fromTensor(const Tensor<double>& t) {
    if (std::abs(std::hypot(t(0), t(1)) - 1) > 1e-9) throw std::invalid_argument("no direction");
    return {t(0), t(1)};
  }
};

namespace {

/// y = the sine of the direction's angle.
constexpr auto sine = unaryOperation<"sine", Keep::operands, ToScalar>(
    [](const Heading& d) { return d.y; }, [](double delta, const Heading& d) { return delta * d.x; });

struct Ship {
  Weight<Heading> heading = Weight<Heading>(Heading(), Veering());
  DoubleWeight speed = DoubleWeight(2);
  Weights weights() const { return {{"heading", heading}, {"speed", speed}}; }
  void steps(int count) const {
    for (int i = 0; i < count; ++i) train(sine(heading) * speed).blockingAwait();
  }
};

static_assert(HasTensorForm<Heading> && !HasTensorForm<Sealed>);

}  // namespace

TEST_CASE("weights of user-defined types are listed, counted, and keep their optimizer") {
  const Ship ship;
  const Weights weights{{"ship", ship}, {"again", ship.heading}};
  CHECK(weights.size() == 3);
  CHECK(weights.elements() == 3);
  weights.setOptimizer(sgd(0));
  ship.steps(1);
  CHECK(ship.speed.data() == 2);
  CHECK(ship.heading.data() == Veering::turned({}, -0.2));
}

TEST_CASE("training continues after a file with weights of user-defined types as without the interruption") {
  const TemporaryDirectory directory;
  const Ship whole;
  whole.steps(5);
  const Ship before;
  before.steps(3);
  save(directory / "m", before);
  const Ship after;
  after.steps(1);
  load(directory / "m", after);
  CHECK(after.heading.data() == before.heading.data());
  after.steps(2);
  CHECK(after.heading.data() == whole.heading.data());
  CHECK(after.speed.data() == whole.speed.data());
  load(directory / "m", after, {.optimizers = false});
  after.steps(2);
  CHECK_FALSE(after.heading.data() == whole.heading.data());
  const Ship fresh;
  save(directory / "fresh", fresh);
  load(directory / "fresh", after);
  after.steps(5);
  CHECK(after.heading.data() == whole.heading.data());
}

TEST_CASE("the file of a weight of a user-defined type has the tensors of its form") {
  const TemporaryDirectory directory;
  save(directory / "m", Weights{{"heading", Ship().heading}});
  const decltype(NamedArrays::arrays) expected{{"heading", Tensor<double>({2}, {1, 0})},
                                               {"optimizer/heading/ahead", Tensor<double>::zeros({0})},
                                               {"optimizer/heading/steps", Integers{{}, {0}}}};
  CHECK(loadSafetensors(directory / "m").arrays == expected);
}

TEST_CASE("a file whose tensors are not of the form is refused, and nothing is set") {
  const TemporaryDirectory directory;
  const Ship ship;
  const auto problem = [&](const NamedArray& heading) {
    saveSafetensors(directory / "m", {{{"heading", heading}, {"speed", Tensor<double>::scalar(1)}}, {}});
    const auto text = directory.errorOf([&] { load(directory / "m", ship); });
    CHECK(ship.heading.data() == Heading());
    CHECK(ship.speed.data() == 2);
    return text;
  };
  CHECK(problem(Tensor<float>({2}, {1, 0})) ==
        "tapestry::load: m: \"heading\": another type or shape, got F32 [2], expected F64 [2]");
  CHECK(problem(Tensor<double>({2}, {1, 1})) == "tapestry::load: m: \"heading\": no direction");
}

TEST_CASE(
    "a weight without a form is listed, but neither counted nor saved nor loaded, and the error names it") {
  const TemporaryDirectory directory;
  const Weights weights{{"a", Weight<Sealed>(Sealed(), StandingStill())}};
  const auto listed = [&](const auto& use) { return directory.errorOf(use); };
  CHECK(listed([&] { (void)weights.elements(); }) ==
        "tapestry::Weights: \"a\": the weight cannot be counted, got data of a user-defined type, expected a "
        "TensorForm of the type");
  CHECK(listed([&] { save(directory / "m", weights); }) ==
        "tapestry::save: \"a\": the weight cannot be saved, got data of a user-defined type, expected a "
        "TensorForm of the type");
  CHECK(directory.files() == 0);
  saveSafetensors(directory / "m", {{{"a", Tensor<double>::scalar(1)}}, {}});
  const std::string refused =
      "tapestry::load: \"a\": the weight cannot be loaded, got data of a user-defined type, expected a "
      "TensorForm of the type";
  CHECK(listed([&] { load(directory / "m", weights); }) == refused);
  CHECK(listed([&] { load(directory / "m", weights, ArrayMap("a", FromArrays::ones())); }) == refused);
}
