#include "compare.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

namespace tapestry::benchmarks {

namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Costs {
  double ours, theirs;
  double ratio() const { return ours / theirs; }
};

/// The sides run in turn, and each begins every second round. The first round, a warm-up, is not counted.
Costs measure(const Row& row) {
  std::vector<double> ours, theirs;
  const auto measureOurs = [&] { ours.push_back(row.ours()); };
  const auto measureTheirs = [&] { theirs.push_back(row.theirs()); };
  for (int i = 0; i <= std::max(row.repetitions, 5); ++i) {
    if (i == 1) ours.clear(), theirs.clear();
    if (i % 2 == 0) measureOurs();
    measureTheirs();
    if (i % 2 != 0) measureOurs();
  }
  return {median(ours), median(theirs)};
}

void printHeader() {
  std::printf("%-26s %11s %11s  %-9s %7s %7s %8s  %-10s %s\n", "name", "ours", "peer", "unit", "ratio",
              "target", "threads", "target is", "peer is");
}

void print(const Row& row, const Costs& costs, const std::string& fault) {
  const bool met = costs.ratio() <= row.target && fault.empty();
  std::printf("%-26s %11.2f %11.2f  %-9s %7.2f %7.2f %8u  %-10s %s\n", row.name.c_str(), costs.ours,
              costs.theirs, row.unit.c_str(), costs.ratio(), row.target, row.threads, met ? "met" : "MISSED",
              row.peer.c_str());
  if (!fault.empty()) std::printf("  %s: %s\n", row.name.c_str(), fault.c_str());
  std::fflush(stdout);
}

nlohmann::json toJson(const Row& row, const Costs& costs) {
  return {{"name", row.name},     {"unit", row.unit},          {"ours", costs.ours},
          {"peer", row.peer},     {"peerValue", costs.theirs}, {"ratio", costs.ratio()},
          {"target", row.target}, {"threads", row.threads}};
}

/// Appends to the array in the file.
void append(const std::string& file, const nlohmann::json& results) {
  auto all = nlohmann::json::array();
  if (std::ifstream in(file); in && in.peek() != std::ifstream::traits_type::eof())
    all = nlohmann::json::parse(in);
  all.insert(all.end(), results.begin(), results.end());
  std::ofstream out(file);
  out << all.dump(2) << '\n';
  if (!out) throw std::runtime_error("cannot write " + file);
}

/// The results of the rows whose names match. False if one of them failed.
bool run(const std::regex& pattern, nlohmann::json& results) {
  bool succeeded = true;
  for (const Row& row : rows()) {
    if (!std::regex_search(row.name, pattern)) continue;
    if (!row.leftOut.empty()) {
      std::printf("%-26s left out: %s\n", row.name.c_str(), row.leftOut.c_str());
      continue;
    }
    try {
      const Costs costs = measure(row);
      print(row, costs, row.fault ? row.fault() : "");
      results.push_back(toJson(row, costs));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%-26s FAILED: %s\n", row.name.c_str(), error.what());
      succeeded = false;
    }
  }
  return succeeded;
}

/// OpenBLAS takes its kernels from this variable, if it is set, when it is loaded: not what is best for the
/// machine. So the program begins anew without it.
void unsetCoreType(char** argv) {
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  if (std::getenv(variable) == nullptr) return;
  ::unsetenv(variable);
  ::execv("/proc/self/exe", argv);
  std::perror("cannot begin anew without OPENBLAS_CORETYPE");
}

}  // namespace

double mallocAndFree() {
  constexpr long count = 1'000'000;
  return nanoseconds(count, [] {
    for (long i = 0; i < count; ++i) {
      void* memory = std::malloc(32);
      benchmark::DoNotOptimize(memory);
      std::free(memory);
    }
  });
}

}  // namespace tapestry::benchmarks

int main(int argc, char** argv) {
  using namespace tapestry::benchmarks;
  unsetCoreType(argv);
  CLI::App app("Measures ours and a peer in turn; a ratio is cost over cost, smaller is better.");
  std::string pattern, json;
  bool list = false, header = false;
  app.add_option("PATTERN", pattern,
                 "A regular expression, found anywhere in the names of the rows to measure");
  app.add_option("--json", json, "The file to whose array the results are appended");
  app.add_flag("--list", list, "Only print the names of the rows that match");
  app.add_flag("--header", header, "Only print the table's header");
  CLI11_PARSE(app, argc, argv);
  try {
    const std::regex regex(pattern, std::regex::extended);
    if (header) return printHeader(), 0;
    if (list) {
      for (const Row& row : rows())
        if (std::regex_search(row.name, regex)) std::puts(row.name.c_str());
      return 0;
    }
    auto results = nlohmann::json::array();
    const bool succeeded = run(regex, results);
    if (!json.empty()) append(json, results);
    return succeeded ? 0 : 1;
  } catch (const std::regex_error& error) {
    std::fprintf(stderr, "'%s' is not a regular expression: %s\n", pattern.c_str(), error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}
