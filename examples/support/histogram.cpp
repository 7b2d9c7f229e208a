#include "support/histogram.hpp"

#include <cmath>

#include "support/text.hpp"

namespace tapestry::examples {

std::size_t Histogram::total() const {
  std::size_t sum = 0;
  for (const auto& count : counts_) sum += count.load();
  return sum;
}

std::string Histogram::chart(const std::string& name) const {
  const auto all = static_cast<double>(total());
  std::string text;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const auto share = all == 0 ? 0 : static_cast<double>(count(i)) / all;
    const auto bar = repeat("█", static_cast<std::size_t>(std::lround(40 * share)));
    text += name + ' ' + std::to_string(i) + padLeft(std::to_string(count(i)), 8) +
            padLeft(percent(share, 1), 8) + (bar.empty() ? "" : "  " + bar) + '\n';
  }
  return text;
}

}  // namespace tapestry::examples
