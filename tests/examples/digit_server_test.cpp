#include <doctest/doctest.h>

#include <algorithm>
#include <tapestry/deeplearning.hpp>
#include <vector>

#include "digit_server/digit_model.hpp"
#include "digit_server/loss_curve.hpp"
#include "support/drawn_digits.hpp"

namespace tapestry::examples {
namespace {

std::vector<Tensor<float>> drawnImages(std::size_t count) {
  const Digits digits = drawDigits(count, 5);
  std::vector<Tensor<float>> images;
  for (std::size_t i = 0; i < count; ++i) {
    auto pixels = Tensor<float>::uninitialized({Digits::imageSize});
    std::ranges::transform(digits.image(i), pixels.exclusiveData(),
                           [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255; });
    images.push_back(pixels);
  }
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
  curve.finish();
  CHECK(curve.history().ends_with("event: done\ndata: {}\n\n"));
}

}  // namespace
}  // namespace tapestry::examples
