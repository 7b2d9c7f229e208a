// The steps of the tutorial on direct style.
#include <tapestry/raii.hpp>
#include <tapestry/raii/coroutine/coroutine.hpp>
#include <tapestry/raii/direct/direct.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

using namespace tapestry;

// [resource]
Do<std::string> file(std::string name) {
  return resource(Do<std::string>::delay([=] {
                    std::printf("open %s\n", name.c_str());
                    return name;
                  }),
                  [](const std::string& opened) { std::printf("close %s\n", opened.c_str()); });
}
// [/resource]

int main() {
  // [chain]
  Do<std::string> copy = file("in").flatMap([](const std::string& in) {
    return file("out").map([in](const std::string& out) { return in + " -> " + out; });
  });
  std::printf("%s\n", copy.blockingAwait().c_str());
  // [/chain]

  // [handled]
  Do<std::string> failing =
      copy.flatMap([](const std::string&) -> Do<std::string> { throw std::runtime_error("disk full"); });
  Do<std::string> handled =
      failing.handleError([](std::exception_ptr) { return Do<std::string>::now("recovered"); });
  std::printf("%s\n", handled.blockingAwait().c_str());  // after both files are closed
  // [/handled]

  // [direct]
  Do<std::string> direct = tapestry::direct<Do>([] {
    std::string in = !file("in");
    std::string out = !file("out");
    return in + " => " + out;
  });
  std::printf("%s\n", direct.blockingAwait().c_str());
  // [/direct]

  // [coroutine]
  Do<std::string> coroutine = tapestry::direct<Do>([]() -> Coroutine<std::string> {
    std::string in = co_await file("in");
    std::string out = co_await file("out");
    co_return in + " => " + out;
  });
  std::printf("%s\n", coroutine.blockingAwait().c_str());
  // [/coroutine]

  // [block-scope]
  Do<int> bothSizes = tapestry::direct<Do>([] {
    auto sizeOf = [](std::string name) {
      return directScoped([=] { return int((!file(name)).size()); });  // closed at its end
    };
    int first = !sizeOf("first");
    return first + !sizeOf("second");
  });
  std::printf("%d\n", bothSizes.blockingAwait());
  // [/block-scope]

  // [conditional]
  auto pick = [](bool first) {
    return tapestry::direct<Do>([=] { return !(first ? file("a") : file("b")); });  // right: on a fiber
  };
  auto pickInCoroutine = [](bool first) {
    return tapestry::direct<Do>([=]() -> Coroutine<std::string> {
      Do<std::string> chosen = first ? file("a") : file("b");  // a name for it first
      co_return co_await chosen;  // not: co_await (first ? file("a") : file("b"))
    });
  };
  std::printf("%s\n", pick(true).blockingAwait().c_str());
  std::printf("%s\n", pickInCoroutine(false).blockingAwait().c_str());
  // [/conditional]
}
