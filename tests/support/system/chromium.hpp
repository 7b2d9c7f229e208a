// Defines shownByChromium, which runs the scripts of a page that a test has written.
#pragma once

#include <doctest/doctest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <optional>
#include <string>

#include "support/system/temporary_directory.hpp"

namespace tapestry::test {

/// The document that the page has become when its scripts have ended; none where there is no chromium, and
/// then ctest, which looks for these words, calls the test skipped. The test fails if the scripts do not end.
inline std::optional<std::string> shownByChromium(const std::string& page) {
  if (std::system("command -v chromium > /dev/null 2>&1") != 0) {
    MESSAGE("tapestry test skipped: there is no chromium");
    return std::nullopt;
  }
  const TemporaryDirectory directory;
  const auto path = directory.write("page.html", page);
  const std::string command =
      "profile=$(mktemp -d) && timeout -k 5 60 chromium --headless=new --no-sandbox --disable-gpu "
      "--disable-dev-shm-usage --no-first-run --user-data-dir=\"$profile\" --dump-dom 'file://" +
      path.string() + "' 2> /dev/null; status=$?; rm -rf \"$profile\"; exit $status";
  FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string document;
  std::array<char, 4096> buffer;
  while (const auto count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    document.append(buffer.data(), count);
  const int status = ::pclose(pipe);
  REQUIRE_MESSAGE(WEXITSTATUS(status) == 0, "chromium has not shown the page within 60 s");
  return document;
}

}  // namespace tapestry::test
