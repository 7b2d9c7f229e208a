#include <tapestry/deeplearning/pictures/profile.hpp>

#include <algorithm>
#include <string>

#include <doctest/doctest.h>
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/deeplearning.hpp>

#include "deeplearning/pictures/meeting_passes.hpp"

namespace tapestry {

TEST_CASE("a profile has the time and the memory of each operation, and the program's value") {
  const TensorWeight w(Tensor<float>::full({300, 200}, 0.001F), sgd(0.0));
  const auto x = Tensor<float>::full({400, 300}, 1);
  const auto loss = mean(relu(matmul(x, w)) * relu(matmul(x, w)));
  ThreadPool pool(2);
  const auto [value, measured] = profile(train(loss)).blockingAwait(pool);
  CHECK(value > 0);
  const auto find = [&operations = measured.operations](const std::string& name) {
    const auto found = std::ranges::find(operations, name, &OperationProfile::operation);
    REQUIRE(found != operations.end());
    return *found;
  };
  const OperationProfile product = find("matmul");
  CHECK(product.forwards == 2);
  CHECK(product.backwards == 2);
  CHECK(product.forwardSeconds > 0);
  CHECK(product.backwardSeconds > 0);
  CHECK(product.bytes == 2 * 400 * 200 * sizeof(float));
  CHECK(product.multiplications == 2 * 400 * 300 * 200);
  CHECK(find("relu").forwards == 2);
  CHECK(measured.operations.size() == 4);
  CHECK(measured.mostBytes >= 3 * 400 * 200 * sizeof(float));
  CHECK(measured.seconds > product.forwardSeconds / 2);
  const std::string table = measured.table();
  CHECK(table.find("operation  forward") == 0);
  CHECK(table.find("48,000,000") != std::string::npos);
}

TEST_CASE("a profile counts a node in each of the passes that use it at once") {
  ThreadPool pool(2);
  const DoubleWeight w(1.0, sgd(0.0));
  test::MeetingPasses passes;
  const auto measured = profile(passes.program(w)).blockingAwait(pool).profile;
  REQUIRE(measured.operations.size() == 1);
  CHECK(measured.operations[0].forwards == 2);
  CHECK(measured.operations[0].backwards == 2);
  CHECK(measured.mostBytes == 2 * sizeof(double));
}

TEST_CASE("a profile of a prediction has no backward") {
  const DoubleWeight w(1.0, sgd(0.0));
  const auto measured = profile(predict(exp(w))).blockingAwait();
  CHECK(measured.value > 2.7);
  REQUIRE(measured.profile.operations.size() == 1);
  CHECK(measured.profile.operations[0].backwards == 0);
  CHECK(measured.profile.mostBytes == sizeof(double));
}

TEST_CASE("data that no derivative keeps count until they are dropped") {
  const TensorWeight w(Tensor<float>::full({1000}, 1), sgd(0.0));
  const auto chain = [&] {
    TensorLayer y = w + 1.0F;
    for (int i = 0; i < 19; ++i) y = y + 1.0F;
    return sum(y);
  };
  CHECK(profile(train(chain())).blockingAwait().profile.mostBytes <= 3 * 1000 * sizeof(float));
}

}  // namespace tapestry
