#include "support/text.hpp"

#include <cmath>
#include <cstdio>

namespace tapestry::examples {

std::string fixed(double value, int digits) {
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, "%.*f", digits, value)), ' ');
  std::snprintf(text.data(), text.size() + 1, "%.*f", digits, value);
  return text;
}

std::string shortest(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::string percent(double fraction, int digits) { return fixed(100 * fraction, digits) + '%'; }

std::string duration(double seconds) {
  const auto rounded = std::llround(seconds);
  if (rounded < 10) return fixed(seconds, 1) + " s";
  if (rounded < 60) return std::to_string(rounded) + " s";
  if (rounded < 3600) return std::to_string(rounded / 60) + " min " + std::to_string(rounded % 60) + " s";
  return std::to_string(rounded / 3600) + " h " + std::to_string(rounded % 3600 / 60) + " min";
}

std::string padLeft(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string repeat(const std::string& text, std::size_t count) {
  std::string repeated;
  repeated.reserve(text.size() * count);
  while (count-- > 0) repeated += text;
  return repeated;
}

}  // namespace tapestry::examples
