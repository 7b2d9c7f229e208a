// Defines readReal, std::from_chars for a double, which libc++ does not have before release 20.
#pragma once

#include <charconv>

namespace tapestry {

/// As std::from_chars does: neither white space nor a plus sign before the number, whatever the locale is.
/// But where the result is out of range, the number is 0 or infinite.
std::from_chars_result readReal(const char* begin, const char* end, double& number);

}  // namespace tapestry
