#include "compare/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "compare/compare.hpp"

namespace tapestry::benchmarks {

namespace {

void require(bool succeeded, const std::string& what, int error = errno) {
  if (!succeeded) throw std::system_error(error, std::generic_category(), what);
}

/// Starts it with its standard output going to `output`.
pid_t start(std::vector<std::string>& words, int output) {
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t process = 0;
  const int error = ::posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  require(error == 0, words[0], error);
  return process;
}

std::string readAll(int from) {
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t size = 0; (size = ::read(from, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

double milliseconds(const timeval& time) {
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
}

}  // namespace

ProcessUsage runProcess(std::vector<std::string> words) {
  int ends[2];
  require(::pipe2(ends, O_CLOEXEC) == 0, "pipe2");
  ProcessUsage result{};
  rusage usage{};
  int status = 0;
  result.elapsed = nanoseconds(1'000'000, [&] {
    const pid_t process = start(words, ends[1]);
    ::close(ends[1]);
    result.output = readAll(ends[0]);
    ::close(ends[0]);
    require(::wait4(process, &status, 0, &usage) >= 0, "wait4");
  });
  if (status != 0) throw std::runtime_error("it fails: " + words[0] + " " + words.back());
  result.processor = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
  result.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return result;
}

}  // namespace tapestry::benchmarks
