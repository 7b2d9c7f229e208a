#include "support/progress.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <tapestry/raii.hpp>

namespace tapestry::examples {
namespace {

/// A terminal of a given width, or none, and a clock, both at the hands of the test.
struct Screen {
  std::ostringstream shown;
  std::optional<std::size_t> columns;
  double now = 100;

  Progress watch(Progress::Plan plan) {
    return Progress(std::move(plan), {shown, [this] { return columns; }}, [this] { return now; });
  }

  std::string take() {
    auto text = shown.str();
    shown.str("");
    return text;
  }
};

/// The columns that a line takes: its characters, of which some have several bytes, but not the escape
/// sequence.
std::size_t width(std::string line) {
  if (const auto escape = line.find("\x1b[K"); escape != std::string::npos) line.erase(escape);
  return static_cast<std::size_t>(std::ranges::count_if(
      line, [](char c) { return c != '\r' && (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

TEST_CASE("Without a terminal, a tenth of the training and the end of an epoch make a plain line each") {
  Screen screen;
  auto progress = screen.watch({.epochs = 2, .itemsPerEpoch = 500});
  for (int epoch = 0; epoch < 2; ++epoch) {
    progress.startEpoch();
    for (int batch = 0; batch < 50; ++batch) {
      screen.now += 0.1;
      progress.advance(10, batch < 25 ? 2.0 : 1.0, 9);
    }
    progress.finishEpoch();
  }
  CHECK(screen.take() ==
        "epoch 1/2   20%  loss 2.0000  accuracy 90.00%  100 images/s  9.0 s left\n"
        "epoch 1/2   40%  loss 2.0000  accuracy 90.00%  100 images/s  8.0 s left\n"
        "epoch 1/2   60%  loss 1.8333  accuracy 90.00%  100 images/s  7.0 s left\n"
        "epoch 1/2   80%  loss 1.6250  accuracy 90.00%  100 images/s  6.0 s left\n"
        "epoch 1/2  100%  loss 1.5000  accuracy 90.00%  100 images/s  5.0 s left\n"
        "epoch 2/2   20%  loss 2.0000  accuracy 90.00%  100 images/s  4.0 s left\n"
        "epoch 2/2   40%  loss 2.0000  accuracy 90.00%  100 images/s  3.0 s left\n"
        "epoch 2/2   60%  loss 1.8333  accuracy 90.00%  100 images/s  2.0 s left\n"
        "epoch 2/2   80%  loss 1.6250  accuracy 90.00%  100 images/s  1.0 s left\n"
        "epoch 2/2  100%  loss 1.5000  accuracy 90.00%  100 images/s  10 s in all\n");
  CHECK(progress.secondsPerEpoch() == doctest::Approx(5));
}

TEST_CASE("An epoch of a program begins with the program, and ends if the program succeeds") {
  Screen screen;
  auto progress = screen.watch({.epochs = 2, .itemsPerEpoch = 10});
  const auto training = Do<int>::delay([&] {
    screen.now += 2;
    progress.advance(10, 1);
    return 1;
  });
  const auto epoch = progress.epoch(training);
  screen.now += 100;
  epoch.blockingAwait();
  CHECK(screen.take() == "epoch 1/2  100%  loss 1.0000  5 images/s  2.0 s left\n");
  CHECK_THROWS(progress.epoch(Do<void>::raiseError("no data")).blockingAwait());
  CHECK(screen.take().empty());
  CHECK(progress.secondsPerEpoch() == doctest::Approx(2));
}

TEST_CASE("Many short epochs make one plain line each") {
  Screen screen;
  auto progress = screen.watch({.epochs = 30, .itemsPerEpoch = 2, .items = "words"});
  for (int epoch = 0; epoch < 30; ++epoch) {
    progress.startEpoch();
    screen.now += 1;
    progress.advance(1, 0.5);
    progress.advance(1, 0.5);
    progress.finishEpoch();
  }
  const auto text = screen.take();
  CHECK(std::ranges::count(text, '\n') == 30);
  CHECK(text.starts_with("epoch  1/30  100%  loss 0.5000  2 words/s  29 s left\n"));
}

TEST_CASE("On a terminal, one line is redrawn, at most ten times a second") {
  Screen screen;
  screen.columns = 90;
  auto progress = screen.watch({.epochs = 1, .itemsPerEpoch = 1'000});
  progress.startEpoch();
  for (int batch = 0; batch < 1'000; ++batch) {
    screen.now += 0.001;
    progress.advance(1, 0.25, 1);
  }
  progress.finishEpoch();
  const auto text = screen.take();
  CHECK(std::ranges::count(text, '\r') <= 11);
  CHECK(std::ranges::count(text, '\r') >= 10);
  CHECK(std::ranges::count(text, '\n') == 1);
  CHECK(
      text.ends_with("\repoch 1/1  ████████████  100%  loss 0.2500  accuracy 100.00%  1000 images/s  "
                     "1.0 s in all\x1b[K\n"));
}

TEST_CASE("A terminal of 80 columns has room for a bar, if not for the speed") {
  Screen screen;
  screen.columns = 80;
  auto progress = screen.watch({.epochs = 10, .itemsPerEpoch = 100'000, .items = "interactions"});
  progress.startEpoch();
  screen.now += 0.1;
  progress.advance(50'000, 0.25, 1);
  CHECK(screen.take() ==
        "\repoch  1/10  █████████░░░░░░░░░░   50%  loss 0.2500  accuracy 0.00%  1.9 s left\x1b[K");
}

TEST_CASE("The line fits any width of the terminal, and follows it") {
  Screen screen;
  screen.columns = 80;
  auto progress = screen.watch({.epochs = 3, .itemsPerEpoch = 100});
  progress.startEpoch();
  for (std::size_t columns = 1; columns < 200; ++columns) {
    screen.columns = columns;
    screen.now += 1;
    progress.advance(1, 123.456, 1);
    CHECK(width(screen.take()) < columns);
  }
}

TEST_CASE("Time between epochs does not count") {
  Screen screen;
  auto progress = screen.watch({.epochs = 2, .itemsPerEpoch = 1});
  CHECK(progress.secondsPerEpoch() == 0);
  for (const double seconds : {3, 5}) {
    progress.startEpoch();
    screen.now += seconds;
    progress.finishEpoch();
    screen.now += 1'000;
  }
  CHECK(progress.secondsPerEpoch() == doctest::Approx(4));
}

TEST_CASE("A training that is broken off leaves its line") {
  Screen screen;
  screen.columns = 80;
  {
    auto progress = screen.watch({.epochs = 1, .itemsPerEpoch = 2});
    progress.startEpoch();
    progress.advance(1, 1);
    CHECK_FALSE(screen.shown.str().ends_with("\n"));
  }
  CHECK(screen.take().ends_with("\n"));
}

TEST_CASE("An epoch of nothing that took no time can be shown") {
  Screen screen;
  auto progress = screen.watch({.epochs = 1, .itemsPerEpoch = 0});
  progress.startEpoch();
  progress.finishEpoch();
  CHECK(screen.take() == "epoch 1/1  100%\n");
}

}  // namespace
}  // namespace tapestry::examples
