#include <tapestry/deeplearning/pictures/training_log.hpp>

#include <limits>
#include <locale>
#include <sstream>
#include <string>

#include <doctest/doctest.h>
#include <tapestry/deeplearning.hpp>

#include "support/system/program_output.hpp"

namespace tapestry {

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

template <class F>
std::string written(const F& write) {
  std::ostringstream out;
  write(out);
  return out.str();
}

/// A log of three steps, of a second each, in two epochs with a pause of ten seconds between them.
struct Logged {
  double now = 100;
  TrainingLog log{{.title = "digits <1>", .items = "images", .clock = [this] { return now; }}};

  Logged() {
    log.startEpoch();
    add({.loss = 2, .accuracy = 0.5, .learningRate = 0.1, .items = 64});
    add({.loss = 1, .items = 32});
    now += 10;
    log.startEpoch();
    add({.loss = 0.5, .gradientNorm = 3, .items = 64});
  }
  void add(const TrainingStep& step) {
    now += 1;
    log.add(step);
  }
};

}  // namespace

TEST_CASE("the CSV of a training has a line for each step, and empty cells for what is unknown") {
  const Logged logged;
  CHECK(written([&](std::ostream& out) { logged.log.writeCsv(out); }) ==
        "step,epoch,seconds,loss,accuracy,learning_rate,gradient_norm,images_per_second\n"
        "1,1,1,2,0.5,0.1,,64\n"
        "2,1,2,1,,,,32\n"
        "3,2,3,0.5,,,3,64\n");
}

TEST_CASE("a name of items with a comma, a quote or a new line is one name in the CSV and in the page") {
  TrainingLog log({.items = "a\nb, \"c\""});
  log.add({.loss = 1});
  const std::string csv = written([&](std::ostream& out) { log.writeCsv(out); });
  CHECK(
      csv.starts_with("step,epoch,seconds,loss,accuracy,learning_rate,gradient_norm,"
                      "\"a\nb, \"\"c\"\"_per_second\"\n1,"));
  CHECK(contains(written([&](std::ostream& out) { log.writeHtml(out); }),
                 "{title:\"a&#10;b, &quot;c&quot; per second\",values:["));
  const TrainingLog returning({.items = "a\r\nb"});
  CHECK(contains(written([&](std::ostream& out) { returning.writeHtml(out); }),
                 "{title:\"a&#13;&#10;b per second\",values:["));
}

TEST_CASE("the CSV of a training does not depend on the locale of its stream") {
  struct Grouping : std::numpunct<char> {
    std::string do_grouping() const override { return "\1"; }
  };
  Logged logged;
  for (int i = 0; i < 8; ++i) logged.add({.loss = 1000});
  const auto write = [&](std::ostream& out) {
    out.imbue(std::locale(out.getloc(), new Grouping));
    logged.log.writeCsv(out);
  };
  CHECK(contains(written(write), "\n11,2,11,1000,,,,\n"));
}

TEST_CASE("the page of a training contains its data and its sections, and asks for no other file") {
  Logged logged;
  logged.log.addSection("Confusion & more", "<table><tr><td>7</td></tr></table>");
  const std::string page = written([&](std::ostream& out) { logged.log.writeHtml(out); });
  CHECK(page.starts_with("<!doctype html>"));
  CHECK(contains(page, "<h1>digits &lt;1&gt;</h1>"));
  CHECK(contains(page, "{title:\"loss\",values:[2,1,0.5]}"));
  CHECK(contains(page, "{title:\"accuracy\",values:[0.5,null,null]}"));
  CHECK(contains(page, "{title:\"images per second\",values:[64,32,64]}"));
  CHECK(contains(page, "const epochs=[1,1,2];"));
  CHECK(contains(page, "<h2>Confusion &amp; more</h2>\n<table>"));
  for (const char* outside : {"src=", "href=", "@import", "fetch("}) CHECK(!contains(page, outside));
}

TEST_CASE("the script of the page draws a curve for all that is known, also for what never changes") {
  double now = 0;
  TrainingLog log({.clock = [&now] { return now; }});
  constexpr int steps = 1201;  // so that the last mean is of fewer steps than the others
  for (int i = 0; i < steps; ++i) {
    if (i % 600 == 0) log.startEpoch();
    now += 0.5;
    log.add({.loss = i == 7 ? std::numeric_limits<double>::quiet_NaN() : 1.0 / (i + 1),
             .accuracy = i == 9 ? std::optional(0.5) : std::nullopt,
             .learningRate = 0.1,
             .items = 32});
  }
  const auto shown = test::shownByChromium(written([&](std::ostream& out) { log.writeHtml(out); }));
  if (!shown) return;
  constexpr int curves = 4;  // no norms of gradients
  CHECK(occurrences(*shown, "<figcaption>") == curves);
  CHECK(occurrences(*shown, "<polyline") == 2 * curves);                 // all steps, and their course
  CHECK(occurrences(*shown, "stroke-dasharray=\"3 3\"") == 2 * curves);  // between three epochs
  CHECK(contains(*shown, ">0.1</text>"));
  CHECK(!contains(*shown, "NaN"));
}

TEST_CASE("the page of many short epochs has no lines between them") {
  TrainingLog log;
  for (int i = 0; i < 100; ++i) {
    log.startEpoch();
    log.add({.loss = 1.0 / (i + 1)});
  }
  const auto shown = test::shownByChromium(written([&](std::ostream& out) { log.writeHtml(out); }));
  if (!shown) return;
  CHECK(occurrences(*shown, "<polyline") == 1);
  CHECK(occurrences(*shown, "stroke-dasharray=\"3 3\"") == 0);
}

TEST_CASE("numbers that are not finite are left out") {
  TrainingLog log;
  log.add({.loss = std::numeric_limits<double>::infinity()});
  CHECK(contains(written([&](std::ostream& out) { log.writeHtml(out); }), "{title:\"loss\",values:[null]}"));
}

TEST_CASE("the log takes the norms of gradients from clipByGlobalNorm") {
  const DoubleWeight w(3.0, sgd(0.1));
  TrainingLog log;
  const double loss = observed(train(w * w, clipByGlobalNorm(1)), log.norms()).blockingAwait();
  log.add({.loss = loss});
  log.add({.loss = loss});
  const std::string csv = written([&](std::ostream& out) { log.writeCsv(out); });
  CHECK(contains(csv, ",9,,,6,\n"));
  CHECK(contains(csv, ",9,,,,\n"));
}

TEST_CASE("a stream that fails is an error") {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  CHECK_THROWS_AS(TrainingLog().writeCsv(out), std::ios_base::failure);
}

}  // namespace tapestry
