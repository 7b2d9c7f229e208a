// Defines SpeedTables, the paper's two tables of mini-batches per second, with those that were measured here.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace tapestry::examples {

/// For networks of 1, 2 and 4 columns on 1, 2 and 4 threads, once with all fine classifiers computed and once
/// with the others skipped.
class SpeedTables {
 public:
  static constexpr std::array<std::size_t, 3> sizes{1, 2, 4};

  /// Of what the paper has no figure for, does nothing.
  void set(bool skip, std::size_t columns, std::size_t threads, double perSecond);

  /// One of the tables: a row for each number of columns, and for each number of threads the figure from
  /// here, or `-` where there is none, beside the paper's.
  [[nodiscard]] std::string table(bool skip) const;

 private:
  using Table = std::array<std::array<std::optional<double>, sizes.size()>, sizes.size()>;
  std::array<Table, 2> here_{};
};

}  // namespace tapestry::examples
