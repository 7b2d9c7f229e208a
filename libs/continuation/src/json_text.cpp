#include "json_text.hpp"

#include <cstddef>
#include <cstdio>

namespace tapestry::detail {

namespace {

/// The length of the UTF-8 character at the beginning of the text, or 0 if there is none.
std::size_t characterLength(std::string_view text) noexcept {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // not in the shortest form, a surrogate, or beyond the last character
  if (length > 2) {
    const unsigned lead = first << 8 | byte(1);
    if (lead < 0xE0A0 || (lead >= 0xEDA0 && lead < 0xEE80) || (lead >= 0xF000 && lead < 0xF090) ||
        lead >= 0xF490)
      return 0;
  }
  return length;
}

}  // namespace

std::string jsonText(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
    const std::size_t length = characterLength(text);
    const char first = text.front();
    if (length == 0) {
      json += "\\ufffd";
    } else if (static_cast<unsigned char>(first) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(first));
      json += escaped;
    } else {
      if (first == '"' || first == '\\') json += '\\';
      json += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return json += '"';
}

}  // namespace tapestry::detail
