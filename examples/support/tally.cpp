#include "support/tally.hpp"

#include <algorithm>

#include "support/text.hpp"

namespace tapestry::examples {

void Tally::add(std::size_t label, std::size_t prediction) {
  auto& count = classes_.at(label);
  ++count.total;
  if (prediction == label) ++count.right;
}

std::string Tally::table(const std::string& heading) const {
  const auto first = std::max<std::size_t>(heading.size(), 5);
  const auto line = [&](const std::string& name, const Count& count) {
    return padLeft(name, first) + padLeft(std::to_string(count.right), 8) +
           padLeft(std::to_string(count.total), 8) +
           padLeft(count.total == 0 ? "-" : percent(count.accuracy()), 10) + '\n';
  };
  auto text =
      padLeft(heading, first) + padLeft("right", 8) + padLeft("total", 8) + padLeft("accuracy", 10) + '\n';
  for (std::size_t i = 0; i < classes_.size(); ++i) text += line(std::to_string(i), classes_[i]);
  return text + line("total", sum());
}

Tally::Count Tally::sum() const {
  Count all;
  for (const auto& count : classes_) {
    all.right += count.right;
    all.total += count.total;
  }
  return all;
}

}  // namespace tapestry::examples
