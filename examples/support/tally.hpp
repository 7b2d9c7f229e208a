// Defines Tally, which counts right answers class by class.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tapestry::examples {

/// For one thread at a time.
class Tally {
 public:
  explicit Tally(std::size_t classes) : classes_(classes) {}

  /// Throws std::out_of_range if there is no such label.
  void add(std::size_t label, std::size_t prediction);

  [[nodiscard]] std::size_t right() const { return sum().right; }
  [[nodiscard]] std::size_t total() const { return sum().total; }

  /// The right answers' share of all, from 0 to 1; 0 before the first answer.
  [[nodiscard]] double accuracy() const { return sum().accuracy(); }

  /// A line of headings, a line per class and a line for all of them; `heading` names the classes.
  [[nodiscard]] std::string table(const std::string& heading) const;

 private:
  struct Count {
    std::size_t right = 0;
    std::size_t total = 0;
    [[nodiscard]] double accuracy() const {
      return total == 0 ? 0 : static_cast<double>(right) / static_cast<double>(total);
    }
  };

  [[nodiscard]] Count sum() const;

  std::vector<Count> classes_;
};

}  // namespace tapestry::examples
