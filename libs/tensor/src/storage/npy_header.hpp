// Defines NpyHeader, the content of the header of a .npy file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tapestry {

struct NpyHeader {
  std::string descr;
  bool fortranOrder = false;
  std::vector<std::size_t> shape;
};

/// Reads the literal of a Python dictionary with exactly these three keys, in any order. Returns nothing for
/// any other text and for an extent beyond size_t.
std::optional<NpyHeader> parseNpyHeader(std::string_view text);

}  // namespace tapestry
