// Defines Histogram, which counts how often each of several choices was made.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "support/text.hpp"

namespace tapestry::examples {

/// Choices may be added from several threads at once: an addition orders nothing else, and a count that is
/// read meanwhile has some of the additions.
class Histogram {
 public:
  explicit Histogram(std::size_t choices) : counts_(choices) {}

  /// Throws std::out_of_range if there is no such choice.
  void add(std::size_t choice) { counts_.at(choice).fetch_add(1, std::memory_order_relaxed); }

  [[nodiscard]] std::size_t count(std::size_t choice) const { return counts_.at(choice).load(); }
  [[nodiscard]] std::size_t total() const {
    return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
  }

  /// A line per choice: `name` and its index, the count, its share of all, and a bar of at most 40 columns.
  [[nodiscard]] std::string chart(const std::string& name) const {
    const auto all = static_cast<double>(total());
    std::string text;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const double share = all == 0 ? 0 : static_cast<double>(count(i)) / all;
      const auto bar = repeat("█", static_cast<std::size_t>(std::lround(40 * share)));
      text += name + ' ' + std::to_string(i) + padLeft(std::to_string(count(i)), 8) +
              padLeft(percent(share, 1), 8) + (bar.empty() ? "" : "  " + bar) + '\n';
    }
    return text;
  }

 private:
  std::vector<std::atomic<std::size_t>> counts_;
};

}  // namespace tapestry::examples
