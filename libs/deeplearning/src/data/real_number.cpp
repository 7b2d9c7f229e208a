#include "csv_fields.hpp"

#include <locale.h>
#include <stdlib.h>

#include <cerrno>
#include <cmath>
#include <string>
#include <string_view>
#include <system_error>
#include <version>

namespace tapestry {

std::from_chars_result readReal(const char* begin, const char* end, double& number) {
#if defined(__cpp_lib_to_chars)
  // of a number that is out of range, std::from_chars does not report whether it is too close to 0
  if (const auto read = std::from_chars(begin, end, number); read.ec != std::errc::result_out_of_range)
    return read;
#endif
  static const locale_t classic = newlocale(LC_ALL_MASK, "C", nullptr);
  // without white space, and without the x of hexadecimal numbers; strtod needs the null character
  const std::string_view rest(begin, static_cast<std::size_t>(end - begin));
  const std::string text(rest.substr(0, rest.find_first_not_of("+-.0123456789eEinfatyINFATY")));
  char* stop = nullptr;
  errno = 0;
  const double value = strtod_l(text.c_str(), &stop, classic);
  const bool isBeyond = errno == ERANGE && (value == 0 || std::isinf(value));
  if (stop == text.c_str() || text.starts_with('+')) return {begin, std::errc::invalid_argument};
  number = value;
  return {begin + (stop - text.c_str()), isBeyond ? std::errc::result_out_of_range : std::errc()};
}

}  // namespace tapestry
