#include <tapestry/deeplearning/pictures/chrome_pass_trace.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/deeplearning.hpp>

#include "deeplearning/pictures/meeting_passes.hpp"

namespace tapestry {

namespace {

nlohmann::json fileOf(const ChromePassTrace& trace) {
  return nlohmann::json::parse(ChromePassTrace::file(trace.events()));
}

std::size_t countBars(const nlohmann::json& file, const std::string& name, const std::string& category) {
  std::size_t count = 0;
  for (const auto& event : file) count += event["name"] == name && event["cat"] == category;
  return count;
}

/// The lane of each bar, by its name.
std::map<std::string, int> lanesOf(const ChromePassTrace& trace) {
  std::map<std::string, int> lanes;
  for (const auto& event : fileOf(trace)) lanes[event["name"]] = event["tid"];
  return lanes;
}

}  // namespace

TEST_CASE("a trace has a bar for each forward and backward, in the lanes of the threads that ran them") {
  ThreadPool pool(2);
  const TensorWeight w(Tensor<float>::full({300, 300}, 0.01F), sgd(0.0));
  const auto x = Tensor<float>::full({300, 300}, 1);
  std::vector<TensorLayer> layers;
  for (int i = 0; i < 16; ++i) layers.push_back(relu(matmul(x, w)));
  const auto trace = std::make_shared<ChromePassTrace>(ChromePassTrace::Options{.process = 3});
  observed(train(sum(sum(layers))), trace).blockingAwait(pool);
  const auto file = fileOf(*trace);
  for (const char* category : {"forward", "backward"}) {
    CHECK(countBars(file, "matmul", category) == 16);
    CHECK(countBars(file, "relu", category) == 16);
  }
  CHECK(countBars(file, "weight", "step") == 1);
  std::set<std::size_t> lanes;
  for (const auto& event : file) {
    CHECK(event["pid"] == 3);
    lanes.insert(event["tid"].get<std::size_t>());
    if (event["ph"] == "X") CHECK(event["dur"].get<double>() >= 0);
    if (event["name"] == "matmul") CHECK(event["args"]["operands"] == "[300, 300], [300, 300]");
  }
  CHECK(lanes.size() >= 2);
}

TEST_CASE("bars of one thread do not overlap") {
  const TensorWeight w(Tensor<float>::full({100}, 0.5F), sgd(0.1));
  const auto trace = std::make_shared<ChromePassTrace>();
  observed(train(mean(exp(sin(w)) * tanh(w))), trace).blockingAwait();
  double end = 0;
  for (const auto& event : fileOf(*trace)) {
    if (event["ph"] != "X") continue;
    CHECK(event["ts"].get<double>() >= end);
    end = event["ts"].get<double>() + event["dur"].get<double>();
  }
  CHECK(end > 0);
}

TEST_CASE("a layer that a program makes has a mark with its place") {
  const DoubleWeight w(1.0, sgd(0.1));
  const DoubleLayer chosen(forward(w).flatMap([w](const auto&) { return forward(exp(w)); }));
  const auto trace = std::make_shared<ChromePassTrace>();
  observed(predict(chosen), trace).blockingAwait();
  const auto file = fileOf(*trace);
  REQUIRE(countBars(file, "program", "program") == 1);
  for (const auto& event : file)
    if (event["name"] == "program")
      CHECK(event["args"]["place"].get<std::string>().find("chrome_pass_trace_test.cpp:") !=
            std::string::npos);
}

TEST_CASE("only the first passes are recorded if the number is limited") {
  const DoubleWeight w(1.0, sgd(0.1));
  const auto trace = std::make_shared<ChromePassTrace>(ChromePassTrace::Options{.mostPasses = 2});
  CHECK(fileOf(*trace).empty());
  for (int i = 0; i < 5; ++i) observed(predict(exp(w)), trace).blockingAwait();
  CHECK(fileOf(*trace).size() == 2);
}

TEST_CASE("a node that two passes use at once has a bar for each of them") {
  ThreadPool pool(2);
  const DoubleWeight w(1.0, sgd(0.0));
  test::MeetingPasses passes;
  const auto trace = std::make_shared<ChromePassTrace>();
  observed(passes.program(w), trace).blockingAwait(pool);
  const auto file = fileOf(*trace);
  CHECK(countBars(file, "meet", "forward") == 2);
  CHECK(countBars(file, "meet", "backward") == 2);
}

TEST_CASE("the first pass is recorded as a whole if a pass that is not recorded overlaps it") {
  ThreadPool pool(2);
  const DoubleWeight w(1.0, sgd(0.0));
  test::MeetingPasses passes;
  const auto trace = std::make_shared<ChromePassTrace>(ChromePassTrace::Options{.mostPasses = 1});
  observed(passes.program(w), trace).blockingAwait(pool);
  const auto file = fileOf(*trace);
  CHECK(countBars(file, "meet", "forward") == 1);
  CHECK(countBars(file, "meet", "backward") == 1);
  CHECK(file.size() == 2);
}

TEST_CASE("bytes of a name that are not UTF-8 are replaced in a trace") {
  const DoubleWeight w(1.0, sgd(0.1));
  const auto operation = unaryOperation<"caf\xE9", Keep::nothing>([](double x) { return x; },
                                                                  [](double delta) { return delta; });
  const auto trace = std::make_shared<ChromePassTrace>();
  observed(predict(operation(w)), trace).blockingAwait();
  trace->observe(PassObserver::Event::exchange, "caf\xE9", &w);
  trace->observe(PassObserver::Event::exchanged, "caf\xE9", &w);
  const auto file = fileOf(*trace);
  CHECK(countBars(file, "caf\xEF\xBF\xBD", "forward") == 1);
  CHECK(countBars(file, "exchange caf\xEF\xBF\xBD", "exchange") == 1);
}

TEST_CASE("the exchanges of two passes have lanes of their own in a trace") {
  using Event = PassObserver::Event;
  ChromePassTrace trace;
  const int passes[2] = {};
  trace.observe(Event::exchange, "bucket 2", &passes[0]);
  trace.observe(Event::exchange, "vote", &passes[1]);
  trace.observe(Event::exchanged, "bucket 2", &passes[0]);
  trace.observe(Event::exchange, "bucket 3", &passes[0]);
  trace.observe(Event::exchanged, "vote", &passes[1]);
  trace.observe(Event::exchanged, "bucket 3", &passes[0]);
  auto lanes = lanesOf(trace);
  REQUIRE(lanes.size() == 3);
  CHECK(lanes["exchange vote"] == lanes["exchange bucket 2"] + 1);
  CHECK(lanes["exchange bucket 3"] == lanes["exchange bucket 2"]);
}

TEST_CASE("an exchange that was cancelled leaves its lane at the end of the pass") {
  using Event = PassObserver::Event;
  ChromePassTrace trace;
  const int passes[2] = {};
  trace.observe(Event::exchange, "first", &passes[0]);
  trace.observe(Event::exchange, "second", &passes[1]);
  trace.observe(Event::exchanged, "second", &passes[1]);
  trace.observe(Event::exchange, "cancelled", &passes[1]);
  trace.observe(Event::exchanged, "first", &passes[0]);
  trace.passEnded(&passes[1]);
  trace.observe(Event::exchange, "third", &passes[0]);
  trace.observe(Event::exchange, "fourth", &passes[0]);
  trace.observe(Event::exchanged, "third", &passes[0]);
  trace.observe(Event::exchanged, "fourth", &passes[0]);
  auto lanes = lanesOf(trace);
  CHECK(lanes["exchange third"] == lanes["exchange first"]);
  CHECK(lanes["exchange fourth"] == lanes["exchange second"]);
}

}  // namespace tapestry
