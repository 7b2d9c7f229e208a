// Defines Metrics, what digit_server counts, in the text format of Prometheus.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "digit_server/digit_model.hpp"
#include "digit_server/http.hpp"
#include "digit_server/loss_curve.hpp"

namespace tapestry::examples {

/// A number of values in each of several ranges, and their sum.
class Distribution {
 public:
  explicit Distribution(std::vector<double> bounds)
      : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}

  void add(double value);
  /// As a histogram of that name.
  std::string text(const std::string& name, const std::string& help) const;

 private:
  std::vector<double> bounds_;  // upper ones
  std::vector<std::uint64_t> counts_;
  double sum_ = 0;
};

/// Belongs to one thread.
class Metrics {
 public:
  /// A request has been answered. `route` is a literal, "other" for a path that there is not.
  void answered(std::string_view route, Status status, double seconds);
  void batch(const std::vector<Answer>& answers);

  std::size_t connections = 0;
  std::uint64_t refused = 0;  ///< connections, as too many

  std::string text(const LossCurve& curve) const;

 private:
  std::map<std::pair<std::string_view, unsigned>, std::uint64_t> requests_;
  std::array<std::uint64_t, 2> chosen_{};
  Distribution seconds_{{0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1}};
  Distribution batches_{{1, 2, 4, 8, 16, 32, 64, 128}};
};

/// Counts a connection during its lifetime.
class ConnectionCount {
 public:
  explicit ConnectionCount(Metrics& metrics) : metrics_(metrics) { ++metrics_.connections; }
  ConnectionCount(const ConnectionCount&) = delete;
  ConnectionCount& operator=(const ConnectionCount&) = delete;
  ~ConnectionCount() { --metrics_.connections; }

 private:
  Metrics& metrics_;
};

}  // namespace tapestry::examples
