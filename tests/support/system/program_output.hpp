// Defines programOutput, and python and shownByChromium, which run programs that a system may lack.
#pragma once

#include <doctest/doctest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "support/system/temporary_directory.hpp"

namespace tapestry::test {

/// What the command prints, where the shell runs `probe` without an error; else none, and ctest, which looks
/// for these words, calls the test skipped. The test fails if the command fails.
inline std::optional<std::string> programOutput(const std::string& name, const std::string& probe,
                                                const std::string& command) {
  if (std::system((probe + " > /dev/null 2>&1").c_str()) != 0) {
    MESSAGE("tapestry test skipped: there is no ", name);
    return std::nullopt;
  }
  FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 4096> buffer;
  while (const auto count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  const int status = ::pclose(pipe);
  INFO(name, " said: ", output);
  REQUIRE(WEXITSTATUS(status) == 0);
  return output;
}

/// What the script of Python prints, run in the directory, by the interpreter of the system's packages, where
/// another one comes first in the path.
inline std::optional<std::string> python(const TemporaryDirectory& directory, const std::string& script) {
  const std::string interpreter = "PATH=\"/usr/bin:$PATH\" python3";
  directory.write("script.py", script);
  const auto output =
      programOutput("python3", interpreter + " -c ''",
                    "cd '" + directory.path().string() + "' && " + interpreter + " script.py 2>&1");
  std::filesystem::remove(directory / "script.py");
  return output;
}

/// The document that the page has become when its scripts have ended, which takes at most 60 seconds.
inline std::optional<std::string> shownByChromium(const std::string& page) {
  const TemporaryDirectory directory;
  const auto path = directory.write("page.html", page);
  return programOutput(
      "chromium", "command -v chromium",
      "profile=$(mktemp -d) && timeout -k 5 60 chromium --headless=new --no-sandbox --disable-gpu "
      "--disable-dev-shm-usage --no-first-run --user-data-dir=\"$profile\" --dump-dom 'file://" +
          path.string() + "' 2> /dev/null; status=$?; rm -rf \"$profile\"; exit $status");
}

}  // namespace tapestry::test
