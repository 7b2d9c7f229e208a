// components: continuation tryt resourcet raii
#include <tapestry/raii.hpp>
#include <tapestry/raii/coroutine/coroutine.hpp>

#include <stdexcept>
#include <string>

#if __has_include(<tapestry/continuation/direct/direct.hpp>) || __has_include(<tapestry/asio.hpp>)
#error "the installed copy holds more than the component raii and what it needs"
#endif

using namespace tapestry;

int main() {
  std::string log;
  const auto held = resource(Do<int>::delay([&log] { return log += "+", 40; }), [&log](int) { log += "-"; });
  const Do<int> program = direct<Do>([=]() -> Coroutine<int> {
    const int value = co_await held;
    if (value == 40) throw std::runtime_error("no");
    co_return value;
  });
  const int answer =
      program.run().handleError([](const std::exception_ptr&) { return Do<int>::now(42); }).blockingAwait();
  return answer == 42 && log == "+-" ? 0 : 1;
}
