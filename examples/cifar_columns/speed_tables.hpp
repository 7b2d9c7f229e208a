// Defines SpeedTables, the paper's two tables of mini-batches per second, beside the figures measured here.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "support/text.hpp"

namespace tapestry::examples {

/// For networks of 1, 2 and 4 columns on 1, 2 and 4 threads, once with all fine classifiers computed and once
/// with the others skipped.
class SpeedTables {
 public:
  static constexpr std::array<std::size_t, 3> sizes{1, 2, 4};

  /// Does nothing for a size that the paper has no figure for.
  void set(bool skip, std::size_t columns, std::size_t threads, double perSecond) {
    const auto row = static_cast<std::size_t>(std::ranges::find(sizes, columns) - sizes.begin());
    const auto column = static_cast<std::size_t>(std::ranges::find(sizes, threads) - sizes.begin());
    if (row < sizes.size() && column < sizes.size()) here_[skip][row][column] = perSecond;
  }

  /// One of the tables: a row for each number of columns, and for each number of threads the figure from
  /// here, or `-` where there is none, beside the paper's.
  [[nodiscard]] std::string table(bool skip) const {
    std::string text =
        std::string("mini-batches per second, ") +
        (skip ? "fine classifiers that do not match skipped" : "all fine classifiers computed") +
        ", here (and in the paper)\ncolumns";
    for (const std::size_t threads : sizes)
      text += padLeft(std::to_string(threads) + (threads == 1 ? " thread" : " threads"), 20);
    text += '\n';
    for (std::size_t row = 0; row < sizes.size(); ++row) {
      text += padLeft(std::to_string(sizes[row]), 7);
      for (std::size_t column = 0; column < sizes.size(); ++column) {
        const auto& figure = here_[skip][row][column];
        text += padLeft(figure ? fixed(*figure, 1) : "-", 11) +
                padLeft("(" + fixed(paper[skip][row][column], 3) + ")", 9);
      }
      text += '\n';
    }
    return text;
  }

 private:
  /// By whether the others are skipped, columns and threads.
  static constexpr double paper[2][sizes.size()][sizes.size()] = {
      {{3.854, 5.239, 6.328}, {3.345, 3.987, 4.828}, {2.550, 3.233, 3.338}},
      {{12.430, 13.531, 14.513}, {8.702, 9.527, 8.831}, {5.314, 5.484, 5.607}},
  };

  std::optional<double> here_[2][sizes.size()][sizes.size()];
};

}  // namespace tapestry::examples
