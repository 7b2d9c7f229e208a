#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/deeplearning.hpp>
#include <vector>

#include "digit_server/digit_model.hpp"
#include "digit_server/loss_curve.hpp"
#include "digit_server/metrics.hpp"
#include "digit_server/pixels.hpp"
#include "digit_server/training.hpp"
#include "support/drawn_digits.hpp"
#include "support/error_text.hpp"

namespace tapestry::examples {
namespace {

std::vector<Tensor<float>> drawnImages(std::size_t count) {
  const Digits digits = drawDigits(count, 5);
  std::vector<Tensor<float>> images;
  for (std::size_t i = 0; i < count; ++i) images.push_back(digits.tensor(i));
  return images;
}

TEST_CASE("A digit model answers many images at once as the gated network does one by one") {
  const DigitModel model(7);
  const auto images = drawnImages(40);
  const auto answers = model.answer(images).blockingAwait();
  REQUIRE(answers.size() == images.size());
  std::array<int, 2> chosen{};
  for (std::size_t i = 0; i < images.size(); ++i) {
    const Answer& answer = answers[i];
    ++chosen[answer.expert];
    const auto [left, right] = model.network().gate(images[i]);
    CHECK(answer.scores[0] == doctest::Approx(predict(left).blockingAwait()).epsilon(1e-4));
    CHECK(answer.scores[1] == doctest::Approx(predict(right).blockingAwait()).epsilon(1e-4));
    const auto expected = predict(softmax(model.network().logits(images[i]))).blockingAwait();
    for (std::size_t digit = 0; digit < 10; ++digit)
      CHECK(answer.probabilities[digit] == doctest::Approx(expected(digit)).epsilon(1e-4));
  }
  CHECK(chosen[0] > 0);
  CHECK(chosen[1] > 0);
  CHECK(model.answer({}).blockingAwait().empty());
}

TEST_CASE("A loss curve has means of steps, and becomes coarser instead of longer") {
  LossCurve curve(2, 4);
  for (int step = 1; step <= 8; ++step) curve.add(step / 8.0, step, 0.5);
  REQUIRE(curve.points().size() == 4);
  CHECK(curve.points()[0].loss == 1.5);
  CHECK(curve.points()[3].step == 8);
  CHECK(curve.points()[3].accuracy == 0.5);
  for (int step = 9; step <= 18; ++step) curve.add(step / 8.0, step, 0.5);
  // at the fifth point every second one was kept; those after it are of four steps
  REQUIRE(curve.points().size() == 4);
  CHECK(curve.points()[1].step == 8);
  CHECK(curve.points()[2].step == 14);
  CHECK(curve.points()[3].step == 18);
  CHECK(curve.points()[3].loss == 16.5);
  CHECK(curve.steps() == 18);
  CHECK(curve.history().find("\"step\":18") != std::string::npos);
  CHECK(curve.history().find("done") == std::string::npos);
  CHECK(curve.state() == LossCurve::State::running);
  curve.finish();
  CHECK(curve.history().ends_with("event: done\ndata: {}\n\n"));
}

TEST_CASE("A loss curve and the metrics tell of a training that fails") {
  const Digits digits = drawDigits(64, 5);
  const DigitModel model(7);
  ThreadPool workers(2);
  LossCurve curve;
  const TrainingSettings settings{.batch = 16, .learningRate = 1e30};
  const auto training = trainDigits(model, digits, settings, workers, curve);
  CHECK_THROWS_AS(training.blockingAwait(), std::range_error);
  CHECK(curve.state() == LossCurve::State::failed);
  CHECK(curve.history().ends_with("event: failed\ndata: {}\n\n"));
  const std::string text = Metrics().text(curve);
  CHECK(text.find("\ndigit_server_training_running 0\n") != std::string::npos);
  CHECK(text.find("\ndigit_server_training_failed 1\n") != std::string::npos);
  // The step before has left weights so large that the probabilities are not finite.
  const auto answers = model.answer(drawnImages(1)).blockingAwait();
  CHECK_THROWS_WITH_AS(toJson(answers[0]), "the model gives probabilities that are not finite", HttpError);
}

TEST_CASE("A number that is no pixel is refused as a number, however large it is") {
  for (const std::string number : {"256", "9223372036854775808", "18446744073709551616", "-1", "1e300"}) {
    CAPTURE(number);
    Request request;
    request.body() = '[' + number + ']';
    const std::string message = test::errorOf([&] { return pixelsOf(request); });
    CHECK(message.starts_with("got the number "));
    CHECK(message.ends_with(", expected numbers from 0, background, to 255, ink"));
  }
}

TEST_CASE("An answer with a number that is not finite is refused") {
  Answer answer;
  CHECK(toJson(answer).starts_with("{\"digit\":0,"));
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    answer = {};
    answer.probabilities[9] = value;
    CHECK_THROWS_AS(toJson(answer), HttpError);
    answer = {};
    answer.scores[1] = value;
    CHECK_THROWS_AS(toJson(answer), HttpError);
  }
}

}  // namespace
}  // namespace tapestry::examples
