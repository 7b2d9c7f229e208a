// Runs of Do that never wait are stopped when their executor refuses them, in whatever step they are.
#include <doctest/doctest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/repeat.hpp"

using namespace tapestry;

TEST_CASE("a Do that looks at requests in few of its steps is stopped after a refusal in any of them") {
  const auto handled = Do<int>::raiseError(std::runtime_error("again")).handleError([](std::exception_ptr) {
    return Do<int>::now(1);
  });
  const std::vector<std::pair<std::string, Do<void>>> programs{
      {"forever", forever(Do<int>::now(1))},
      {"errors that are handled", forever(handled)},
      {"repeatUntil", repeatUntil(Do<int>::now(1), [](int) { return false; }).map([](int) {})},
      {"masks", forever(mask(Do<int>::now(1).flatMap([](int) { return Do<int>::now(2); })))}};
  for (const auto& [name, program] : programs)
    for (const std::uint32_t steps : {1, 2, 3, 4, 5, 7, 12, 1024}) {
      CAPTURE(name);
      CAPTURE(steps);
      test::Delivery<void> delivery;
      {
        boost::asio::io_context context;
        AsioExecutor executor(context);
        executor.setStepsPerTurn(steps);
        program.onComplete(delivery.callback(), executor);
        context.run_for(std::chrono::milliseconds(1));
      }
      REQUIRE(delivery.count() == 1);
      // an error that was raised when the run was stopped stays
      const std::string error = test::errorText(delivery.outcome().error());
      CHECK((error.find("refuses work") != error.npos || error == "again"));
    }
}
