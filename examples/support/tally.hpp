// Defines Tally, which counts right answers class by class.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "support/text.hpp"

namespace tapestry::examples {

/// For one thread at a time.
class Tally {
 public:
  explicit Tally(std::size_t classes) : classes_(classes) {}

  /// Throws std::out_of_range if there is no such label.
  void add(std::size_t label, std::size_t prediction) {
    classes_.at(label).add(prediction == label);
    all_.add(prediction == label);
  }

  /// The right answers' share of all, from 0 to 1; 0 before the first answer.
  [[nodiscard]] double accuracy() const { return all_.accuracy(); }

  /// A line of headings, a line per class and a line for all of them; `heading` names the classes.
  [[nodiscard]] std::string table(const std::string& heading) const {
    const auto first = std::max<std::size_t>(heading.size(), 5);
    const auto line = [&](const std::string& name, const Count& count) {
      return padLeft(name, first) + padLeft(std::to_string(count.right), 8) +
             padLeft(std::to_string(count.total), 8) +
             padLeft(count.total == 0 ? "-" : percent(count.accuracy()), 10) + '\n';
    };
    auto text = padLeft(heading, first) + "   right   total  accuracy\n";
    for (std::size_t i = 0; i < classes_.size(); ++i) text += line(std::to_string(i), classes_[i]);
    return text + line("total", all_);
  }

 private:
  struct Count {
    void add(bool isRight) {
      right += isRight;
      ++total;
    }
    [[nodiscard]] double accuracy() const {
      return total == 0 ? 0 : static_cast<double>(right) / static_cast<double>(total);
    }

    std::size_t right = 0;
    std::size_t total = 0;
  };

  std::vector<Count> classes_;
  Count all_;
};

}  // namespace tapestry::examples
