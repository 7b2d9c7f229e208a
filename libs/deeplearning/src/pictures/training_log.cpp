#include "tapestry/deeplearning/pictures/training_log.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <ostream>
#include <utility>

#include "report_page.hpp"
#include "table_text.hpp"

namespace tapestry {

namespace {

double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// As C++ and JSON write it, with nine digits; `none` if it is none or not finite.
std::string exactText(const std::optional<double>& value, const char* none) {
  if (!value || !std::isfinite(*value)) return none;
  return detail::numberText(*value, 9, std::chars_format::general);
}

/// As CSV writes a text.
std::string quotedIfNeeded(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

/// Without the log's lock, since the stream may be of a user's type.
void write(std::ostream& out, const std::string& text) {
  out.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
  if (!out)
    throw std::ios_base::failure("tapestry::TrainingLog: the stream has failed, expected one that takes all");
}

}  // namespace

/// Keeps the latest norm until it is taken.
class TrainingLog::Norms final : public PassObserver {
 public:
  void gradientNorm(double norm) noexcept override { norm_ = norm; }
  std::optional<double> take() noexcept {
    const double norm = norm_.exchange(none);
    return std::isnan(norm) ? std::nullopt : std::optional(norm);
  }

 private:
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::atomic<double> norm_{none};
};

TrainingLog::TrainingLog(Options options)
    : options_([&] {
        if (!options.clock) options.clock = steadySeconds;
        return std::move(options);
      }()),
      norms_(std::make_shared<Norms>()),
      begun_(options_.clock()),
      latest_(begun_) {}

void TrainingLog::add(const TrainingStep& step) {
  const double now = options_.clock();
  const std::lock_guard guard(mutex_);
  const double before = std::exchange(latest_, std::max(latest_, now));
  Point point{step, epoch_, latest_ - begun_ - pauses_, {}};
  const auto norm = static_cast<Norms&>(*norms_).take();
  if (!step.gradientNorm) point.step.gradientNorm = norm;
  if (step.items > 0 && latest_ > before)
    point.perSecond = static_cast<double>(step.items) / (latest_ - before);
  points_.push_back(std::move(point));
}

void TrainingLog::startEpoch() {
  const double now = options_.clock();
  const std::lock_guard guard(mutex_);
  ++epoch_;
  const double before = std::exchange(latest_, std::max(latest_, now));
  pauses_ += latest_ - before;
}

std::size_t TrainingLog::steps() const {
  const std::lock_guard guard(mutex_);
  return points_.size();
}

void TrainingLog::addSection(std::string heading, std::string html) {
  const std::lock_guard guard(mutex_);
  sections_.push_back({std::move(heading), std::move(html)});
}

std::vector<TrainingLog::Curve> TrainingLog::curves() const {
  return {{"loss", "loss", [](const Point& point) { return std::optional(point.step.loss); }},
          {"accuracy", "accuracy", [](const Point& point) { return point.step.accuracy; }},
          {"learning rate", "learning_rate", [](const Point& point) { return point.step.learningRate; }},
          {"gradient norm", "gradient_norm", [](const Point& point) { return point.step.gradientNorm; }},
          {options_.items + " per second", options_.items + "_per_second",
           [](const Point& point) { return point.perSecond; }}};
}

void TrainingLog::writeCsv(std::ostream& out) const { write(out, csv()); }
void TrainingLog::writeHtml(std::ostream& out) const { write(out, html()); }

std::string TrainingLog::csv() const {
  const std::lock_guard guard(mutex_);
  std::string text = "step,epoch,seconds";
  for (const Curve& curve : curves()) text += ',' + quotedIfNeeded(curve.key);
  text += '\n';
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point& point = points_[i];
    text += std::to_string(i + 1) + ',' + std::to_string(point.epoch) + ',' + exactText(point.seconds, "");
    for (const Curve& curve : curves()) text += ',' + exactText(curve.value(point), "");
    text += '\n';
  }
  return text;
}

std::string TrainingLog::data() const {
  const auto list = [&](const auto& textOfPoint) {
    std::string text;
    for (const Point& point : points_) text += (text.empty() ? "" : ",") + textOfPoint(point);
    return text;
  };
  std::string text = "const epochs=[" + list([](const Point& point) { return std::to_string(point.epoch); }) +
                     "];\nconst seconds=[" +
                     list([](const Point& point) { return exactText(point.seconds, "null"); }) +
                     "];\nconst curves=[";
  for (const Curve& curve : curves())
    text += "\n{title:\"" + escaped(curve.title) + "\",values:[" +
            list([&](const Point& point) { return exactText(curve.value(point), "null"); }) + "]},";
  return text + "];\n";
}

std::string TrainingLog::html() const {
  const std::lock_guard guard(mutex_);
  const std::string title = escaped(options_.title);
  const double seconds = points_.empty() ? 0 : points_.back().seconds;
  std::string text = std::string(detail::reportHead) + "<title>" + title + "</title>\n";
  text += detail::reportStyle;
  text += "<h1>" + title + "</h1>\n<p>" + std::to_string(points_.size()) + " steps, " +
          std::to_string(std::lround(seconds)) + " seconds</p>\n<div id=\"curves\"></div>\n";
  for (const Section& section : sections_)
    text += "<section><h2>" + escaped(section.heading) + "</h2>\n" + section.html + "</section>\n";
  text += "<script>\n" + data();
  text += detail::reportScript;
  return text + "</script>\n</html>\n";
}

std::string TrainingLog::escaped(std::string_view text) {
  constexpr std::pair<char, std::string_view> escapes[] = {{'<', "&lt;"},   {'>', "&gt;"},   {'&', "&amp;"},
                                                           {'"', "&quot;"}, {'\\', "&#92;"}, {'\n', "&#10;"},
                                                           {'\r', "&#13;"}};
  std::string html;
  for (const char c : text) {
    const auto* const escape = std::ranges::find(escapes, c, &std::pair<char, std::string_view>::first);
    html += escape == std::end(escapes) ? std::string_view(&c, 1) : escape->second;
  }
  return html;
}

}  // namespace tapestry
