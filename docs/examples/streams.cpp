// What docs/streams.md shows: streams that are made as they are asked for, what they hold, and what runs
// ahead.
#include <chrono>
#include <cstdio>
#include <exception>
#include <ranges>
#include <stdexcept>
#include <string>
#include <tapestry/concurrent.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/environment.hpp>
#include <tapestry/testing.hpp>
#include <tuple>
#include <utility>
#include <vector>

using namespace tapestry;
using namespace std::chrono_literals;
using testing::Scheduler;

namespace {

// [holding]
/// 1 and 2 of a source that is open as long as it is consumed.
Stream<int> source(const std::string& name) {
  const auto open = Do<std::string>::delay([name] { return std::printf("open %s\n", name.c_str()), name; });
  const auto opened = resource(open, [](const std::string& it) { std::printf("close %s\n", it.c_str()); });
  return Stream<std::string>::from(opened).flatMap([](const std::string&) {
    return Stream<int>::of({1, 2});
  });
}
// [/holding]

// [timed]
/// Each number, when as many milliseconds have passed since the one before as it says.
Stream<int> timed(std::vector<int> gaps) {
  return Stream<int>::of(std::move(gaps)).mapDo([](int gap) {
    return sleepFor(std::chrono::milliseconds(gap)).map([gap] { return gap; });
  });
}
// [/timed]

// [print]
void print(const std::vector<int>& numbers) {
  for (const char* space = ""; int number : numbers) std::printf("%s%d", std::exchange(space, " "), number);
  std::printf("\n");
}
// [/print]

}  // namespace

int main() {
  {
    // [first]
    const auto squares = Stream<int>::from(std::views::iota(1))  // without an end
                             .map([](int n) { return n * n; })
                             .filter([](int n) { return n % 2 == 0; })
                             .take(3);
    print(squares.toVector().blockingAwait());
    std::printf("%d\n", squares.fold(0, [](int sum, int n) { return sum + n; }).blockingAwait());
    // [/first]
  }
  {
    // [pulled]
    int fetched = 0;
    const auto fetch = [&fetched](int page) { return delay([&fetched, page] { return ++fetched, page; }); };
    const auto pages = Stream<int>::from(std::views::iota(1)).mapDo(fetch);
    print(pages.take(2).toVector().blockingAwait());
    std::printf("%d pages were fetched\n", fetched);
    // [/pulled]
  }
  {
    // [resources]
    const auto both =
        Stream<std::string>::of({"a", "b"}).flatMap([](const std::string& name) { return source(name); });
    print(both.take(3).toVector().blockingAwait());
    // [/resources]
  }
  {
    // [error]
    const auto failing =
        source("c").map([](int n) { return n == 2 ? throw std::runtime_error("not 2") : n; });
    const Try<void> ended =
        failing.forEach([](int n) { std::printf("item %d\n", n); }).attempt().blockingAwait();
    std::printf("%s\n", errorAs<std::exception>(ended.error())->what());
    // [/error]
  }
  {
    // [parallel]
    const auto load = [](int id) { return sleepFor(10ms).map([id] { return id * 10; }); };
    const auto loaded = Stream<int>::from(std::views::iota(1, 7)).parMap(3, load);
    Scheduler scheduler;
    print(scheduler.run(loaded.toVector()).get());
    std::printf("after %ld ms\n", long(scheduler.clock().now().time_since_epoch() / 1ms));
    // [/parallel]
  }
  {
    // [window]
    const auto groups = timed({1, 1, 10, 1, 1, 1}).chunk(3, 5ms);
    static_cast<void>(Scheduler().run(groups.forEach([](const std::vector<int>& group) { print(group); })));
    // [/window]
  }
  {
    // [broadcast]
    const auto count = [](const Stream<int>& all) { return all.fold(0, [](int n, int) { return n + 1; }); };
    const auto firstBig = [](const Stream<int>& all) {
      return all.filter([](int n) { return n > 50; }).take(1).toVector();
    };
    const auto [n, big] =
        Stream<int>::from(std::views::iota(0, 100)).broadcast(count, firstBig).blockingAwait();
    std::printf("%d items, the first above 50 is %d\n", n, big.front());
    // [/broadcast]
  }
  {
    // [lines]
    const auto blocks = Stream<std::string>::of({"GET /\nGE", "T /cart\r\n", "GET /pay"});
    const auto print = [](const std::string& line) { std::printf("%s\n", line.c_str()); };
    lines(blocks).forEach(print).blockingAwait();
    // [/lines]
  }
}
