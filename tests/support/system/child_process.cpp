#include "support/system/child_process.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "support/listener.hpp"

namespace tapestry::test {

namespace {

constexpr const char* childVariable = "TAPESTRY_TEST_CHILD";

/// The test case that runs, and the calls of inChild that it has made.
struct RunningCase {
  std::string name;
  std::string file;
  int calls = 0;
};
RunningCase running;

struct CaseListener final : Listener {
  explicit CaseListener(const doctest::ContextOptions&) {}
  void test_case_start(const doctest::TestCaseData& data) override {
    running = {data.m_name, std::filesystem::path(data.m_file.c_str()).filename(), 0};
  }
};
DOCTEST_REGISTER_LISTENER("running case", 1, CaseListener);

/// doctest's filters are lists, separated by commas, of patterns in which ? stands for any character.
std::string asPattern(std::string text) {
  for (char& c : text)
    if (c == ',' || c == '\\' || c == '"') c = '?';
  return text;
}

/// Starts this program for the case that runs and the call in it, with its standard error at the descriptor.
pid_t startChild(int call, int standardError) {
  std::string name = "--test-case=" + asPattern(running.name);
  std::string file = "--source-file=*" + asPattern(running.file);
  std::string variable = childVariable + ("=" + std::to_string(call));
  std::string program = "/proc/self/exe";
  const std::array<char*, 4> arguments{program.data(), name.data(), file.data(), nullptr};
  std::vector<char*> environment{variable.data()};
  for (char** entry = environ; *entry; ++entry) environment.push_back(*entry);
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, standardError, STDERR_FILENO);
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environment.data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), "posix_spawn");
  return child;
}

}  // namespace

bool isChildForThisCall() {
  const char* const call = std::getenv(childVariable);
  return call && std::to_string(running.calls) == call;
}

Ending runChildForThisCall() {
  const int call = running.calls++;
  if (std::getenv(childVariable)) return {};
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = startChild(call, pipe[1]);
  ::close(pipe[1]);
  Ending ending;
  std::array<char, 256> buffer{};
  for (ssize_t n = 0; (n = ::read(pipe[0], buffer.data(), buffer.size())) > 0;)
    ending.text.append(buffer.data(), static_cast<std::size_t>(n));
  ::close(pipe[0]);
  if (::waitpid(child, &ending.status, 0) != child)
    throw std::system_error(errno, std::generic_category(), "waitpid");
  return ending;
}

bool limitThreads(unsigned threads) {
  ::alarm(20);
  // the limit counts the threads of a user, and root is exempt; containers may have 65,536 users
  const uid_t user = 10'000 + static_cast<uid_t>(::getpid()) % 50'000;
  if (::getuid() == 0 && ::setuid(user) != 0) return false;
  const rlimit limit{threads, threads};
  return ::setrlimit(RLIMIT_NPROC, &limit) == 0;
}

}  // namespace tapestry::test
