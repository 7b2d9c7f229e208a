#include <tapestry/deeplearning/pass_observer.hpp>

#include <doctest/doctest.h>

#include <map>
#include <mutex>
#include <set>
#include <variant>

#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/deeplearning/extend/graph.hpp"

using namespace tapestry;

namespace {

/// How often each event came for each node.
class Tally final : public PassObserver {
 public:
  void observe(Event event, std::string_view, const void* node) noexcept override {
    const std::scoped_lock guard(mutex_);
    ++times_[{event, node}];
  }
  std::set<const void*> nodes(Event event) const {
    std::set<const void*> found;
    for (const auto& [key, times] : times_)
      if (key.first == event) found.insert(key.second);
    return found;
  }
  bool onceEach() const {
    return std::ranges::all_of(times_, [](const auto& entry) { return entry.second == 1; });
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<Event, const void*>, int> times_;
};

/// Counts the operands of programs that have asked for a tape, and have no layer yet.
class OperandsAtUse final : public PassObserver {
 public:
  void observeUse(const extend::NodeView& program, const extend::NodeView&) noexcept override {
    ++uses;
    operands += program.operands().size();
  }
  int uses = 0;
  std::size_t operands = 0;
};

/// Counts the values of nodes and of their operands that can, and cannot, be read when deltas have been sent.
class ValuesAtSent final : public PassObserver {
 public:
  void observeNode(Event event, const extend::NodeView& node) noexcept override {
    if (event != Event::sent) return;
    note(node);
    for (const extend::NodeView& operand : node.operands()) note(operand);
  }
  int known = 0;
  int unknown = 0;

 private:
  void note(const extend::NodeView& node) {
    const bool isKnown = !std::holds_alternative<std::monostate>(node.value());
    ++(isKnown ? known : unknown);
  }
};

/// Notes at the release of a program's layer whether its data are dropped.
class DropsAtRelease final : public PassObserver {
 public:
  explicit DropsAtRelease(Tensor<double> itsData) : data(std::move(itsData)) {}
  void observe(Event event, std::string_view name, const void*) noexcept override {
    if (event == Event::release && name == "program") dropped = data.unique();
  }
  const Tensor<double> data;
  bool dropped = false;
};

}  // namespace

TEST_CASE("each layer has one forward, one backward and one release in a pass, however it is shared") {
  using Event = PassObserver::Event;
  ThreadPool pool(2);
  const TensorWeight weight(Tensor<float>::full({100'000}, 1), sgd(1e-6));
  std::vector<TensorLayer> layers;
  const auto shared = sin(weight);
  for (int i = 0; i < 10; ++i) layers.push_back(exp(shared * weight) + shared);
  const auto loss = sum(sum(layers));
  for (const bool onPool : {false, true}) {
    const auto tally = std::make_shared<Tally>();
    const auto program = observed(train(loss), tally);
    if (onPool)
      program.blockingAwait(pool);
    else
      program.blockingAwait();
    CHECK(tally->onceEach());
    CHECK(tally->nodes(Event::forward).size() == 1 + 3 * 10 + 2);
    CHECK(tally->nodes(Event::backward) == tally->nodes(Event::forward));
    CHECK(tally->nodes(Event::release) == tally->nodes(Event::forward));
    CHECK(tally->nodes(Event::read) == std::set<const void*>{weight.node().get()});
    CHECK(tally->nodes(Event::step) == tally->nodes(Event::read));
  }
}

TEST_CASE("an operation that has sent its deltas has its value and its operands until it is released") {
  const DoubleWeight weight(3, sgd(1));
  const auto values = std::make_shared<ValuesAtSent>();
  // the operand exp wants no delta, so that nothing keeps it when multiply has left it
  observed(train(sigmoid(weight * exp(sin(2.0)))), values).blockingAwait();
  CHECK(values->known == 5);
  CHECK(values->unknown == 0);
}

TEST_CASE("a program has no layer of an earlier pass while it runs in the next pass") {
  const DoubleWeight weight(3, sgd(1));
  const auto doubled = weight * 2.0;
  const auto uses = std::make_shared<OperandsAtUse>();
  const auto program = observed(predict(DoubleLayer(forward(doubled))), uses);
  for (int pass = 1; pass <= 2; ++pass) {
    CHECK(program.blockingAwait() == 6);
    CHECK(uses->uses == pass);
    CHECK(uses->operands == 0);
  }
}

TEST_CASE("the data of a program's layer are dropped when its delta has been sent") {
  const auto drops = std::make_shared<DropsAtRelease>(Tensor<double>::full({2}, 3));
  const DoubleTensorWeight weight(Tensor<double>::full({2}, 1), sgd(1));
  const DoubleTensorLayer program(forward(weight).map([drops](const auto& tape) {
    auto made = tape;
    made.data = drops->data;
    return made;
  }));
  observed(train(sum(program * program)), drops).blockingAwait();
  CHECK(weight.data() == Tensor<double>::full({2}, 1 - 6));
  CHECK(drops->dropped);
}
