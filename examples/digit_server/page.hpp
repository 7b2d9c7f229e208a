// Defines pageText, the page of digit_server, which needs no other file.
#pragma once

#include <string_view>

namespace tapestry::examples {

/// The text of page.html, which CMake puts into the program.
extern const std::string_view pageText;

}  // namespace tapestry::examples
