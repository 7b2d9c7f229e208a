// What docs/seeing.md shows: where an error came from, what runs wait for, and what an observer hears of
// them.
#include <csignal>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tapestry/continuation/asio/dump_runs_on_signal.hpp>
#include <tapestry/continuation/chrome_trace.hpp>
#include <tapestry/continuation/monad/trace.hpp>
#include <tapestry/continuation/named.hpp>
#include <tapestry/continuation/run_observer.hpp>
#include <tapestry/continuation/track_runs.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/environment.hpp>
#include <utility>
#include <vector>

using namespace tapestry;

namespace {
// [print]
/// Prints the text with the paths of files reduced to their names, which are the same on every machine.
void print(std::string text) {
  for (std::size_t slash; (slash = text.find('/')) != std::string::npos;) {
    const std::size_t begin = text.rfind('(', slash) + 1;
    text.erase(begin, slash + 1 - begin);
  }
  std::printf("%s", text.c_str());
}

std::size_t countOf(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}
// [/print]
// [users]
std::string lookUp(int user) {
  if (user != 1) throw std::out_of_range("no such user");
  return "Ada";
}

Do<std::string> greeting(int user) {
  const auto name = Do<std::string>::delay([user] { return lookUp(user); });
  const auto text = name.map([](const std::string& found) { return "Hello, " + found; });
  return text.named("greeting");
}
// [/users]

// [observer]
struct Log final : RunObserver {
  void entered(const RunSpan& span, const void*) noexcept override { tell(span, "begins"); }
  void suspended(const RunSpan& span, const void*, const char* operation,
                 const std::source_location&) noexcept override {
    std::printf("%s waits for %s\n", span.name().c_str(), operation);
  }
  void resumed(const RunSpan& span, const void*) noexcept override { tell(span, "continues"); }
  void left(const RunSpan& span, const void*) noexcept override { tell(span, "ends"); }

 private:
  static void tell(const RunSpan& span, const char* what) {
    std::printf("%s %s\n", span.name().c_str(), what);
  }
};
// [/observer]

}  // namespace

int main() {
  {
    // [describe]
    const auto answer = greeting(2).handleError(
        [](const std::exception_ptr& error) { return Do<std::string>::now(describe(error) + '\n'); });
    print(answer.blockingAwait());
    // no such user
    //   raised in delay (seeing.cpp:45)
    //   passed map (seeing.cpp:46)
    //   passed "greeting" (seeing.cpp:47)
    // [/describe]
  }
  {
    // [trace]
    try {
      greeting(2).blockingAwait();
    } catch (const std::out_of_range&) {
      const Trace trace = traceOf(std::current_exception());
      for (const Trace::Place& place : trace.places)
        std::printf("%s in line %u\n", place.operation.c_str(), place.location.line());
    }
    // [/trace]
  }
  // [query]
  std::vector<Callback<int>> database;
  const auto ask = async<int>([&](Callback<int> callback) { database.push_back(std::move(callback)); });
  const auto query = ask.named("query");
  // [/query]
  {
    // [dump]
    const auto request = query.map([](int rows) { return rows + 1; }).named("request");
    request.onComplete([](const Outcome<int>& outcome) { std::printf("%d rows\n", outcome.get()); });
    std::ostringstream runs;
    dumpRuns(runs);
    print(runs.str());
    // "request" (seeing.cpp:100)
    //   "query" (seeing.cpp:96): waits for async (seeing.cpp:95)
    std::exchange(database, {}).front()(41);
    // [/dump]
  }
  {
    // [track]
    trackRuns(true);
    const auto both = tuple2(parallel(query), parallel(ask));
    both.onComplete([](const auto& outcome) { std::printf("%d\n", std::get<0>(outcome.get())); });
    std::ostringstream runs;
    dumpRuns(runs);
    print(runs.str());
    trackRuns(false);
    // run (seeing.cpp:114)
    //   branch 1 (seeing.cpp:113)
    //     "query" (seeing.cpp:96): waits for async (seeing.cpp:95)
    //   branch 2 (seeing.cpp:113): waits for async (seeing.cpp:95)
    for (const auto& callback : std::exchange(database, {})) callback(7);
    // [/track]
  }
  {
    const DumpRunsOnSignal dumps(SIGUSR1);  // while it lives, kill -USR1 PID writes the runs to stderr
  }
  {
    // [observe]
    Log log;
    const auto request = query.map([](int rows) { return rows + 1; }).named("request");
    withObserver(log, request).onComplete([](const Outcome<int>&) {});
    std::exchange(database, {}).front()(41);
    // [/observe]
  }
  {
    // [chrome]
    std::ostringstream file;
    {
      ChromeTrace trace(file);
      const auto request = query.map([](int rows) { return rows + 1; }).named("request");
      withObserver(trace, request).onComplete([](const Outcome<int>&) {});
      std::exchange(database, {}).front()(41);
    }
    std::printf("%zu bars\n", countOf("\"ph\":\"B\"", file.str()));
    // [/chrome]
  }
}
