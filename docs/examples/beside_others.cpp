// What docs/beside_others.md shows: programs beside Asio, futures, stop tokens and coroutines of others.
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <tapestry/asio.hpp>
#include <tapestry/concurrent/deferred.hpp>
#include <tapestry/continuation/blocking.hpp>
#include <tapestry/continuation/parallel/timeout.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/continuation/std_stop_token.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/asio/as_do.hpp>
#include <tapestry/raii/coroutine/coroutine.hpp>
#include <tapestry/raii/future.hpp>
#include <tapestry/raii/timeout.hpp>
#include <thread>
#include <utility>

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

// [thermometer]
/// A library that calls back on any thread.
struct Thermometer {
  template <class F>
  void read(F whenRead) const {
    whenRead(21);
  }
};
// [/thermometer]

// [callback]
Do<int> degrees(Thermometer thermometer) {
  return Do<int>::async([thermometer](const Callback<Try<int>>& callback) {
    thermometer.read([callback](int value) { callback(Try<int>::success(value)); });
  });
}
// [/callback]

// [gauge]
/// A library in C. It calls back once for each reading, on any thread, also after gauge_cancel.
struct gauge;
gauge* gauge_read(int milliseconds, void (*callback)(void* user, int error, int value), void* user);
void gauge_cancel(gauge* reading);
void gauge_free(gauge* reading);  // allowed from its callback on
// [/gauge]

struct gauge {
  std::stop_source stop;
};
gauge* gauge_read(int milliseconds, void (*callback)(void* user, int error, int value), void* user) {
  auto* const reading = new gauge;
  std::thread([=, stop = reading->stop.get_token()] {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait_for(lock, stop, std::chrono::milliseconds(milliseconds),
                                           [] { return false; });
    callback(user, stop.stop_requested() ? ECANCELED : 0, 22);
  }).detach();
  return reading;
}
void gauge_cancel(gauge* reading) { reading->stop.request_stop(); }
void gauge_free(gauge* reading) { delete reading; }

// [cancellable]
Do<int> reading(int milliseconds) {
  struct Request {
    gauge* handle = nullptr;
    Deferred<int> result;
  };
  const auto begin = Do<std::shared_ptr<Request>>::delay([milliseconds] {
    const auto request = std::make_shared<Request>();
    const auto callback = [](void* user, int error, int value) {
      const Deferred<int> result = *static_cast<const Deferred<int>*>(user);  // it outlives the request
      if (error)
        result.fail(std::system_error(error, std::generic_category()));
      else
        result.complete(value);
    };
    request->handle = gauge_read(milliseconds, callback, &request->result);
    return request;
  });
  const auto end = [](const std::shared_ptr<Request>& request) {
    gauge_cancel(request->handle);
    return request->result.get().attempt().map([request](const Try<int>&) { gauge_free(request->handle); });
  };
  const auto wait = [](const std::shared_ptr<Request>& request) { return request->result.get(); };
  return resource(begin, end).flatMap(wait).run();
}
// [/cancellable]

// [ringing]
/// From another library: a coroutine that awaits a Bell is resumed when it rings.
struct Bell {
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) noexcept { waiting = handle; }
  int await_resume() const noexcept { return strokes; }

  void ring(int times) {
    strokes = times;
    std::exchange(waiting, nullptr).resume();
  }

  int strokes = 0;
  std::coroutine_handle<> waiting;
};
// [/ringing]

// [bell]
Do<int> hour(Bell& bell) {
  return direct<Do>([&bell]() -> Coroutine<int> {
    const int strokes = co_await bell;
    co_return strokes % 12;
  });
}
// [/bell]

// [waiting]
/// From another library: waits on this thread until it is asked to stop.
void waitUntilStopped(const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait(lock, stop, [] { return false; });
}
// [/waiting]

}  // namespace

int main() {
  {
    // [as-do]
    asio::io_context context;
    asio::steady_timer timer(context, 1ms);
    const Do<int> answer = timer.async_wait(asDo()).map([] { return 42; });
    // [/as-do]
    // [awaited]
    const auto coroutine = [&]() -> asio::awaitable<void> {
      std::printf("%d\n", co_await asyncRun(answer, asio::use_awaitable));
    };
    asio::co_spawn(context, coroutine, asio::detached);
    context.run();
    // [/awaited]
  }
  {
    // [spawned]
    asio::io_context context;
    const auto coroutine = [&context]() -> asio::awaitable<int> {
      asio::steady_timer timer(context, 1ms);
      co_await timer.async_wait(asio::use_awaitable);
      co_return 43;
    };
    const Do<int> program = asio::co_spawn(context, coroutine, asDo());
    program.onComplete([](const Outcome<int>& outcome) { std::printf("%d\n", outcome.get()); });
    context.run();
    // [/spawned]
  }
  {
    // [slot]
    asio::io_context context;
    asio::steady_timer timer(context, 1h);
    const auto file = resource(Do<int>::now(1), [](int) { std::printf("released\n"); });
    const auto program = file.flatMap([&](int) { return timer.async_wait(asDo()); });
    asio::cancellation_signal signal;
    const auto handler = [](const std::exception_ptr& error) {
      const auto* failure = errorAs<boost::system::system_error>(error);
      if (failure && failure->code() == asio::error::operation_aborted) std::printf("aborted\n");
    };
    asyncRun(program, asio::bind_cancellation_slot(signal.slot(), asio::bind_executor(context, handler)));
    signal.emit(asio::cancellation_type::total);
    context.run();
    // [/slot]
  }
  {
    asio::io_context context;
    AsioExecutor executor(context);
    const auto where = delay([&] { return executor.isHere(); });
    where.onComplete([](const auto& here) { std::printf(here.get() ? "here\n" : "elsewhere\n"); }, executor);
    context.run();
  }
  {
    // [future]
    ThreadPool pool(1);
    std::future<int> future = toFuture(Do<int>::now(44), pool);
    std::printf("%d\n", future.get());
    const Do<int> program = fromFuture(std::async(std::launch::async, [] { return 45; }));
    std::printf("%d\n", program.blockingAwait());
    // [/future]
  }
  {
    // [stop]
    std::stop_source source;
    const LinkedStopSource stop(source.get_token());
    const auto report = [](const auto& outcome) {
      std::printf(outcome.isCancelled() ? "cancelled\n" : "slept\n");
    };
    sleepFor(1h).onComplete(report, stop.token());
    source.request_stop();
    // [/stop]
  }
  {
    // [std-stop]
    const auto waiting = blocking([](const StopToken& own) {
      const LinkedStdStopSource stop(own);
      waitUntilStopped(stop.token());
    });
    if (!timeout(waiting, 1ms).blockingAwait()) std::printf("too late\n");
    // [/std-stop]
  }
  std::printf("%d degrees\n", degrees(Thermometer()).blockingAwait());
  std::printf("%d degrees\n", reading(1).blockingAwait());
  const Try<int> late = timeout(reading(3'600'000), 1ms).attempt().blockingAwait();
  std::printf("%s\n", errorAs<TimeoutError>(late.error()) ? "too late" : "read");
  {
    Bell bell;
    hour(bell).onComplete([](const Outcome<int>& outcome) { std::printf("%d o'clock\n", outcome.get()); });
    bell.ring(15);
  }
}
