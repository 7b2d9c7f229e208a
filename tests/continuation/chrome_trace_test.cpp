#include "tapestry/continuation/chrome_trace.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <streambuf>
#include <string>
#include <thread>
#include <vector>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

using namespace tapestry;

namespace {

struct Event {
  std::string phase, lane, name, text;
  double time;
};

/// The member of a line, up to the next comma or bracket.
std::string member(const std::string& line, const std::string& key) {
  const std::string start = '"' + key + "\":";
  const std::size_t at = line.find(start);
  if (at == line.npos) return "";
  std::string value = line.substr(at + start.size());
  value = value.substr(0, value.find_first_of(",}"));
  std::erase(value, '"');
  return value;
}

/// The file has an event in each line between the brackets.
std::vector<Event> eventsOf(const std::string& text) {
  REQUIRE(text.starts_with("[\n"));
  REQUIRE(text.ends_with("}\n]\n"));
  std::vector<Event> events;
  std::istringstream in(text.substr(2, text.size() - 5));
  for (std::string line; std::getline(in, line);) {
    CHECK(std::ranges::count(line, '{') == std::ranges::count(line, '}'));
    const std::string time = member(line, "ts");
    events.push_back({member(line, "ph"), member(line, "tid"), member(line, "name"), line,
                      std::strtod(time.c_str(), nullptr)});
  }
  return events;
}

std::vector<std::string> phasesOf(const std::vector<Event>& events) {
  std::vector<std::string> phases;
  for (const auto& event : events) phases.push_back(event.phase + event.lane);
  return phases;
}

}  // namespace

TEST_CASE("a bar for each stretch of work and an arrow where the run changes threads") {
  std::ostringstream out;
  test::Manual<int> manual;
  test::Delivery<int> delivery;
  {
    ChromeTrace trace(out);
    const auto program = manual.program().named("query").map([](int x) { return x; }).named("request");
    withObserver(trace, program).onComplete(delivery.callback());
    std::thread([&] { manual.take()(1); }).join();
  }
  CHECK(delivery.outcome().get() == 1);
  const auto events = eventsOf(out.str());
  using Phases = std::vector<std::string>;
  CHECK(phasesOf(events) == Phases{"M1", "B1", "B1", "E1", "E1", "M2", "B2", "B2", "s1", "f2", "E2", "E2"});
  CHECK(events[1].name == "request");
  CHECK(events[2].name == "query");
  CHECK(events[2].text.find("\"at\":\"") != std::string::npos);
  CHECK(events[2].text.find("chrome_trace_test.cpp:") != std::string::npos);
  CHECK(events[3].text.find("\"waits for\":\"async (") != std::string::npos);
  CHECK(events[4].text.find("waits for") == std::string::npos);
  const Event& start = events[8];
  const Event& end = events[9];
  CHECK(member(start.text, "id") == member(end.text, "id"));
  CHECK(start.time >= events[2].time);
  CHECK(start.time <= events[3].time);
  CHECK(end.time >= events[7].time);
  CHECK(end.time <= events[10].time);
}

TEST_CASE("names are escaped as JSON asks for") {
  std::ostringstream out;
  {
    ChromeTrace trace(out);
    const std::string name = "a\"b\\c\n\x01 \xC3\xA9 \xFF \xE0\x80\x80";
    CHECK(withObserver(trace, now(1).named(name)).blockingAwait() == 1);
  }
  CHECK(out.str().find("\"name\":\"a\\\"b\\\\c\\u000a\\u0001 \xC3\xA9 \\ufffd \\ufffd\\ufffd\\ufffd\"") !=
        std::string::npos);
}

TEST_CASE("a trace in which nothing happens is an empty list") {
  std::ostringstream out;
  { ChromeTrace trace(out); }
  CHECK(out.str() == "[\n]\n");
}

TEST_CASE("a stream that throws does not end the process, and its state tells of the failure") {
  struct Disk : std::streambuf {
    int overflow(int character) override { return isFull ? traits_type::eof() : character; }
    bool isFull = false;
  } disk;
  std::ostream out(&disk);
  out.exceptions(std::ios::badbit);
  test::Delivery<int> delivery;
  {
    ChromeTrace trace(out);
    disk.isFull = true;
    withObserver(trace, now(3).named("answer")).onComplete(delivery.callback());
  }
  CHECK(delivery.outcome().get() == 3);
  CHECK(out.bad());
}

TEST_CASE("bars nest in each lane for runs on many threads") {
  std::ostringstream out;
  {
    ChromeTrace trace(out);
    ThreadPool pool(4);
    pool.setStepsPerTurn(5);
    const auto element = [&pool](int x) {
      return execute(pool, [x] { return x; })
          .flatMap([](int y) { return now(y).named("inner"); })
          .flatMap([&pool](int y) { return execute(pool, [y] { return y; }); })
          .named("element");
    };
    const std::vector<int> elements(200);
    const auto all = parTraverse(elements, 8, element).named("all");
    CHECK(withObserver(trace, all).blockingAwait(pool).size() == 200);
  }
  std::map<std::string, std::vector<std::string>> open;
  std::map<std::string, double> times;
  std::map<std::string, int> arrows;
  for (const Event& event : eventsOf(out.str())) {
    if (event.phase == "s") ++arrows[member(event.text, "id")];
    if (event.phase == "f") --arrows[member(event.text, "id")];
    if (event.phase != "B" && event.phase != "E") continue;
    CHECK(event.time >= times[event.lane]);
    times[event.lane] = event.time;
    auto& lane = open[event.lane];
    if (event.phase == "B") {
      lane.push_back(event.name);
    } else {
      REQUIRE(!lane.empty());
      lane.pop_back();
    }
  }
  for (const auto& [number, lane] : open) CHECK(lane.empty());
  for (const auto& [id, count] : arrows) CHECK(count == 0);
}
