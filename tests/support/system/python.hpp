// Defines python, which runs a script of a test that checks files without the library.
#pragma once

#include <doctest/doctest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <optional>
#include <string>

#include "support/system/temporary_directory.hpp"

namespace tapestry::test {

/// The interpreter of the system's packages, where another one comes first in the path.
inline const std::string systemPython = "PATH=\"/usr/bin:$PATH\" python3";

/// What the script prints, run in the directory; none where there is no python3, and then ctest, which looks
/// for these words, calls the test skipped.
inline std::optional<std::string> python(const TemporaryDirectory& directory, const std::string& script) {
  if (std::system((systemPython + " -c '' > /dev/null 2>&1").c_str()) != 0) {
    MESSAGE("tapestry test skipped: there is no python3");
    return std::nullopt;
  }
  directory.write("script.py", script);
  const std::string command = "cd '" + directory.path().string() + "' && " + systemPython + " script.py 2>&1";
  FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 4096> buffer;
  while (const auto count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  const int status = ::pclose(pipe);
  std::filesystem::remove(directory / "script.py");
  INFO("python3 said: ", output);
  REQUIRE(WEXITSTATUS(status) == 0);
  return output;
}

}  // namespace tapestry::test
