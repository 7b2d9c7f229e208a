// Defines TextTable, a table of aligned columns, and texts for its numbers.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tapestry::detail {

/// The first column is aligned to the left, the other columns to the right unless specified otherwise.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> titles, std::size_t leftColumns = 1)
      : leftColumns_(leftColumns), rows_{std::move(titles)} {
    line();
  }
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// A line from end to end.
  void line() { rows_.emplace_back(); }
  std::string text() const;

 private:
  std::size_t leftColumns_;
  std::vector<std::vector<std::string>> rows_;  ///< an empty row is a line
};

/// Returns the number as text, in any locale. With the format fixed, `digits` are those after the point; with
/// general, `digits` are all significant digits.
std::string numberText(double value, int digits, std::chars_format format = std::chars_format::fixed);
/// "1,234,567"
std::string groupedText(std::uint64_t value);
/// "512 B", "1.5 KiB"
std::string bytesText(std::size_t bytes);

}  // namespace tapestry::detail
