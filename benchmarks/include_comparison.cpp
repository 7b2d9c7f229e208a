// What it costs to include a library: the compiler's time and memory, at -O0, for the programs in
// benchmarks/include.
#include <sstream>

#include "compare/compare.hpp"
#include "compare/process.hpp"

namespace tapestry::benchmarks {

namespace {

const std::string torchHeaders = TAPESTRY_TORCH_HEADERS;

/// What the compiler uses for a file; processor time, since that of the clock depends on what else the
/// machine does.
ProcessUsage compile(const std::string& source) {
  std::vector<std::string> words = {TAPESTRY_COMPILER, "-std=c++20", "-O0"};
  std::istringstream directories(TAPESTRY_INCLUDE_DIRS);
  for (std::string directory; std::getline(directories, directory, ':');) words.push_back("-I" + directory);
  if (!torchHeaders.empty()) words.push_back("-I" + torchHeaders);
  words.insert(words.end(), {"-c", "-o", "/dev/null", TAPESTRY_BENCHMARKS_DIR "/include/" + source});
  return runProcess(std::move(words));
}

std::function<double()> milliseconds(const std::string& source) {
  return [source] { return compile(source).processor; };
}
std::function<double()> megabytes(const std::string& source) {
  return [source] { return compile(source).megabytes; };
}

}  // namespace

std::vector<Row> rows() {
  return {
      {.name = "include_core_asio",
       .unit = "ms",
       .peer = "Asio timer + post",
       .target = 0.4,
       .ours = milliseconds("tapestry_core.cpp"),
       .theirs = milliseconds("asio_smallest.cpp"),
       .repetitions = 5},
      {.name = "include_core_memory_asio",
       .unit = "MiB",
       .peer = "Asio timer + post",
       .target = 0.75,
       .ours = megabytes("tapestry_core.cpp"),
       .theirs = megabytes("asio_smallest.cpp"),
       .repetitions = 5},
      {.name = "include_net_torch",
       .unit = "ms",
       .peer = "libtorch, the same network",
       .target = 0.35,
       .ours = milliseconds("tapestry_gated.cpp"),
       .theirs = milliseconds("torch_gated.cpp"),
       .repetitions = 5,
       .leftOut = torchHeaders.empty()
                      ? "libtorch is not installed; 'scripts/bench --install-peers' installs it"
                      : ""},
  };
}

}  // namespace tapestry::benchmarks
