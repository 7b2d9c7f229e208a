#include "expression_gradients/expression.hpp"

#include <algorithm>
#include <string_view>

#include "support/text.hpp"

namespace tapestry::examples {
namespace {

/// The characters that a terminal shows for the bytes of UTF-8.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::size_t Expression::column(std::size_t position) const {
  return 1 + columns(std::string_view(text).substr(0, position));
}

InputError Expression::error(Place place, const std::string& problem) const {
  const std::size_t first = column(place.begin);
  const std::size_t marked = place.begin < text.size() ? column(place.end) - first : 1;
  std::string shown = text;
  std::ranges::replace_if(
      shown, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  return {"column " + std::to_string(first), problem,
          "  " + shown + "\n  " + repeat(" ", first - 1) + '^' + repeat("~", marked - 1) + '\n'};
}

}  // namespace tapestry::examples
