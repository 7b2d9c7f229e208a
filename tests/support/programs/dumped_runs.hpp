// Defines dumpedRuns, what dumpRuns writes, line by line.
#pragma once

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "tapestry/continuation/named.hpp"

namespace tapestry::test {

/// The lines of dumpRuns, with the places reduced to the names of their files.
inline std::vector<std::string> dumpedRuns() {
  std::ostringstream out;
  dumpRuns(out);
  std::istringstream in(out.str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    for (std::size_t slash; (slash = line.find('/')) != std::string::npos;) {
      const std::size_t begin = line.rfind('(', slash) + 1;
      line.erase(begin, slash + 1 - begin);
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace tapestry::test
