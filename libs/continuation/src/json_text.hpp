// Declares jsonText, a text as JSON writes it.
#pragma once

#include <string>
#include <string_view>

namespace tapestry::detail {

/// In quotation marks. Bytes that are not of UTF-8 become U+FFFD.
std::string jsonText(std::string_view text);

}  // namespace tapestry::detail
