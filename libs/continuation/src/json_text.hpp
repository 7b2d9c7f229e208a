// Declares jsonText, which writes a text as a JSON string.
#pragma once

#include <string>
#include <string_view>

namespace tapestry::detail {

/// Includes the quotation marks. Bytes that are not UTF-8 become U+FFFD.
std::string jsonText(std::string_view text);

}  // namespace tapestry::detail
