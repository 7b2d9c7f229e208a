// Defines Histogram, which counts how often each of several choices was made.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

namespace tapestry::examples {

/// Choices may be added from any threads at once; what is read while they are is some count on the way.
class Histogram {
 public:
  explicit Histogram(std::size_t choices) : counts_(choices) {}

  /// Throws std::out_of_range if there is no such choice.
  void add(std::size_t choice) {
    counts_.at(choice).fetch_add(1, std::memory_order_relaxed);
  }  // orders nothing else

  [[nodiscard]] std::size_t count(std::size_t choice) const { return counts_.at(choice).load(); }
  [[nodiscard]] std::size_t total() const;

  /// A line per choice: `name` and its index, the count, its share of all, and a bar of at most 40 columns.
  [[nodiscard]] std::string chart(const std::string& name) const;

 private:
  std::vector<std::atomic<std::size_t>> counts_;
};

}  // namespace tapestry::examples
