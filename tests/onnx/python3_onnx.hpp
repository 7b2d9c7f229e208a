// Defines python3Onnx, which checks files by Debian's package python3-onnx.
#pragma once

#include "support/system/program_output.hpp"

namespace tapestry::test {

/// Runs a script, which prints "all right"; returns false and skips the test where the package is missing.
/// The script may import evaluate, which is beside this file.
inline bool python3Onnx(const TemporaryDirectory& directory, const std::string& script) {
  const auto output =
      python(directory,
             "try:\n  import onnx\nexcept ImportError:\n  print('none')\n  exit()\n"
             "import sys\nsys.dont_write_bytecode = True\nsys.path.insert(0, '" TAPESTRY_ONNX_TESTS "')\n" +
                 script);
  if (output && *output == "none\n") MESSAGE("tapestry test skipped: there is no python3-onnx");
  if (!output || *output == "none\n") return false;
  CHECK(*output == "all right\n");
  return true;
}

}  // namespace tapestry::test
