// Defines TrainingLog, which records the course of a training, and writes it as CSV and as a page with
// curves.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tapestry/deeplearning/pass_observer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// What is known of one step of a training, or of several steps together.
struct TrainingStep {
  double loss = 0;
  std::optional<double> accuracy = {};  ///< from 0 to 1
  std::optional<double> learningRate = {};
  std::optional<double> gradientNorm = {};
  std::size_t items = 0;  ///< images, for example, that were trained on since the step before
};

/// Records steps, with the time and the items per second:
///
///     TrainingLog log({.title = "digits", .items = "images"});
///     for (const Batch& batch : batches)
///       log.add({.loss = train(lossOf(batch)).blockingAwait(), .items = batch.size()});
///     log.writeHtml(std::ofstream("report.html"));
///
/// Cost: 100 bytes for each step. All functions are thread-safe.
class TrainingLog {
 public:
  /// A monotonous clock, in seconds.
  using Clock = std::function<double()>;

  struct Options {
    std::string title = "Training";
    std::string items = "items";  ///< such as "images"
    Clock clock = nullptr;        ///< null for the steady clock
  };

  TrainingLog() : TrainingLog(Options{}) {}
  explicit TrainingLog(Options options);

  /// Adds a step that ends now. A gradient norm that the step lacks is that of the latest pass that `norms`
  /// has observed, if there was one since the step before.
  void add(const TrainingStep& step);

  /// Begins an epoch: curves have a mark, unless there are more than 60 epochs. Time that has passed since
  /// the last step, as in a validation, does not count.
  void startEpoch();

  /// An observer of gradient norms, for observed(train(loss, clipByGlobalNorm(limit)), log.norms()). A limit
  /// of std::numeric_limits<double>::max() measures alone. Outlives the log.
  const std::shared_ptr<PassObserver>& norms() const noexcept { return norms_; }

  std::size_t steps() const;

  /// A line for each step: step, epoch, seconds, loss, accuracy, learning rate, gradient norm, items per
  /// second; cells of unknown numbers are empty. Throws std::ios_base::failure if the stream fails.
  void writeCsv(std::ostream& out) const;
  void writeCsv(std::ostream&& out) const { writeCsv(out); }

  /// A page for browsers that needs no other file and no network: a curve for each column of the CSV that has
  /// numbers, with the value below the pointer, and the sections. Throws as writeCsv.
  void writeHtml(std::ostream& out) const;
  void writeHtml(std::ostream&& out) const { writeHtml(out); }

  /// Adds a section below the curves: HTML, whose parts that are not the program's own must be escaped.
  void addSection(std::string heading, std::string html);

  /// Returns the text with the characters escaped that have a meaning in HTML.
  static std::string escaped(std::string_view text);

 private:
  struct Point {
    TrainingStep step;
    std::size_t epoch;
    double seconds;
    std::optional<double> perSecond;
  };
  struct Curve {
    std::string title;
    std::string key;
    std::optional<double> (*value)(const Point&);
  };
  struct Section {
    std::string heading;
    std::string html;
  };
  class Norms;

  std::vector<Curve> curves() const;
  std::string csv() const;
  std::string html() const;
  /// The numbers as JavaScript. Precondition: the caller holds the lock.
  std::string data() const;

  const Options options_;
  const std::shared_ptr<PassObserver> norms_;
  mutable std::mutex mutex_;
  std::vector<Point> points_;
  std::vector<Section> sections_;
  std::size_t epoch_ = 0;
  double begun_ = 0;   ///< on the clock
  double pauses_ = 0;  ///< the time that does not count
  double latest_ = 0;  ///< the end of the step before
};

}  // namespace tapestry
#pragma GCC visibility pop
