// Defines runProcess, which measures the time and the memory of a program from its start to its end.
#pragma once

#include <string>
#include <vector>

namespace tapestry::benchmarks {

struct ProcessUsage {
  double elapsed;      ///< in ms
  double processor;    ///< in ms, with the processes that it has started and waited for
  double megabytes;    ///< the most memory that was resident, or what the caller's was, if that was more
  std::string output;  ///< what it wrote to its standard output
};

/// The program, by its path, and its arguments. Throws unless it ends with status 0.
ProcessUsage runProcess(std::vector<std::string> words);

}  // namespace tapestry::benchmarks
