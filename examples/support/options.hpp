// Defines Options, the command line of an example, and how an example ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/trace.hpp"

namespace CLI {
class App;
}
namespace tapestry::examples {

/// The values that an option accepts, both ends included.
struct CountRange {
  std::size_t least = 1;
  std::size_t most = 1'000'000;
};
struct RealRange {
  double least = 0;
  double most = 1;
};

/// Each option is declared with the variable that it sets, which holds the default before and must outlive
/// `run`. Beside those declared, every example has `--help`, `--seed` and
/// `--threads`. Where an option is given twice, the last one counts.
class Options {
 public:
  Options(const std::string& program, const std::string& description);
  ~Options();

  Options& count(const std::string& name, std::size_t& value, const std::string& help, CountRange range = {});
  Options& real(const std::string& name, double& value, const std::string& help, RealRange range = {});
  Options& path(const std::string& name, std::optional<std::filesystem::path>& value,
                const std::string& help);
  Options& text(const std::string& name, std::string& value, const std::string& help);
  Options& choice(const std::string& name, std::string& value, const std::string& help,
                  const std::vector<std::string>& choices);
  Options& flag(const std::string& name, bool& value, const std::string& help);

  /// `--trace FILE`: the file gets what the tracer (support/trace.hpp) records, which must outlive `run`.
  Options& traced(const Tracer& tracer);

  /// For `--seed` or `--threads`, which every example takes: `--help` says that it has no effect, and why.
  Options& unused(const std::string& name, const std::string& reason);

  /// For options of other kinds; needs <CLI/CLI.hpp>.
  [[nodiscard]] CLI::App& app() { return *app_; }

  /// The number given with `--seed`, or 1.
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

  /// The number given with `--threads`, from 1 to 1024, or the number of processors.
  [[nodiscard]] std::size_t threads() const { return threads_; }

  /// Reads the command line, calls `body`, and returns the exit status. `--help` prints the options and gives
  /// 0. A malformed command line or an InputError gives 2, any other exception 1, each after one line
  /// `PROGRAM: message` on standard error, which the excerpt of an InputError follows.
  [[nodiscard]] int run(int argc, const char* const* argv, const std::function<void()>& body);

 private:
  void runTraced(const std::function<void()>& body) const;

  std::unique_ptr<CLI::App> app_;
  std::uint64_t seed_ = 1;
  std::size_t threads_;
  std::optional<std::filesystem::path> trace_;
  const Tracer* tracer_ = nullptr;
};

}  // namespace tapestry::examples
