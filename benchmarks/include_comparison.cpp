// What it costs to include a library: the compiler's time and memory, at -O0, for the programs in
// benchmarks/include.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <system_error>

#include "compare/compare.hpp"

namespace tapestry::benchmarks {

namespace {

const std::string sources = TAPESTRY_BENCHMARKS_DIR "/include/";

/// What the compiler and all that it starts use for a file.
rusage compile(const std::string& source) {
  std::vector<std::string> words = {TAPESTRY_COMPILER,
                                    "-std=c++20",
                                    "-O0",
                                    "-I" TAPESTRY_CORE_INCLUDE_DIR,
                                    "-I" TAPESTRY_BOOST_INCLUDE_DIR,
                                    "-c",
                                    "-o",
                                    "/dev/null",
                                    sources + source};
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  pid_t compiler = 0;
  if (const int error = ::posix_spawn(&compiler, arguments[0], nullptr, nullptr, arguments.data(), environ))
    throw std::system_error(error, std::generic_category(), words[0]);
  int status = 0;
  rusage usage{};
  if (::wait4(compiler, &status, 0, &usage) < 0)
    throw std::system_error(errno, std::generic_category(), "wait4");
  if (status != 0) throw std::runtime_error("the compiler fails on " + source);
  return usage;
}

/// Processor time, since that of the clock depends on what else the machine does.
double milliseconds(const std::string& source) {
  const rusage usage = compile(source);
  const auto of = [](const timeval& time) {
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

double megabytes(const std::string& source) { return static_cast<double>(compile(source).ru_maxrss) / 1024; }

}  // namespace

std::vector<Row> rows() {
  return {
      {.name = "include_core_asio",
       .unit = "ms",
       .peer = "Asio timer + post",
       .target = 0.4,
       .ours = [] { return milliseconds("tapestry_core.cpp"); },
       .theirs = [] { return milliseconds("asio_smallest.cpp"); },
       .repetitions = 5},
      {.name = "include_core_memory_asio",
       .unit = "MiB",
       .peer = "Asio timer + post",
       .target = 0.75,
       .ours = [] { return megabytes("tapestry_core.cpp"); },
       .theirs = [] { return megabytes("asio_smallest.cpp"); },
       .repetitions = 5},
  };
}

}  // namespace tapestry::benchmarks
