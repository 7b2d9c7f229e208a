// Defines readReal, std::from_chars for a double, which libc++ does not have before release 20.
#pragma once

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace tapestry::examples {

/// Reads as std::from_chars does; examples keep the locale "C".
inline std::from_chars_result readReal(const char* begin, const char* end, double& number) {
#if defined(__cpp_lib_to_chars)
  return std::from_chars(begin, end, number);
#else
  const std::string_view rest(begin, static_cast<std::size_t>(end - begin));
  const std::string text(rest.substr(0, rest.find_first_not_of("+-.0123456789eEinfatyINFATY")));
  char* stop = nullptr;
  errno = 0;
  const double value = std::strtod(text.c_str(), &stop);
  const bool isBeyond = errno == ERANGE && (value == 0 || std::isinf(value));
  if (stop == text.c_str() || text.starts_with('+')) return {begin, std::errc::invalid_argument};
  const char* const read = begin + (stop - text.c_str());
  if (isBeyond) return {read, std::errc::result_out_of_range};
  number = value;
  return {read, std::errc()};
#endif
}

}  // namespace tapestry::examples
