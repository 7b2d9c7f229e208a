#include "table_text.hpp"

#include <algorithm>
#include <array>

namespace tapestry::detail {

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::size_t whole = widths.empty() ? 0 : 2 * (widths.size() - 1);
  for (const std::size_t width : widths) whole += width;
  std::string text;
  for (const auto& row : rows_) {
    std::string line = row.empty() ? std::string(whole, '-') : std::string();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - row[i].size(), ' ');
      line += (i == 0 ? "" : "  ") + (i < leftColumns_ ? row[i] + gap : gap + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string numberText(double value, int digits, std::chars_format format) {
  std::array<char, 330> text;  // for any double, of at most 309 digits before the point
  char* const begin = text.data();
  return {begin, std::to_chars(begin, begin + text.size(), value, format, digits).ptr};
}

std::string groupedText(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t place = text.size(); place > 3;) text.insert(place -= 3, 1, ',');
  return text;
}

std::string bytesText(std::size_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / 1024;
  const char* unit = "KiB";
  for (const char* larger : {"MiB", "GiB", "TiB"})
    if (value >= 1024) {
      value /= 1024;
      unit = larger;
    }
  return numberText(value, 1) + ' ' + unit;
}

}  // namespace tapestry::detail
