// Defines Row, a comparison of ours with a peer, and what programs that measure rows share.
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tapestry::benchmarks {

/// One line of the table. Both sides do the same work, and return what an operation of it cost.
struct Row {
  std::string name;
  std::string unit;                ///< of the costs, such as "ns/step"
  std::string peer;                ///< what we are compared with
  double target = 1;               ///< the largest ratio of ours to the peer's that is good enough
  unsigned threads = 1;            ///< on which both sides run
  std::function<double()> ours{};  ///< each repetition calls both; a wrong result throws
  std::function<double()> theirs{};
  int repetitions = 9;                   ///< at least 5; the medians count
  std::function<std::string()> fault{};  ///< a breach that no ratio shows, which misses the target; or ""
  std::string leftOut{};                 ///< why there is nothing to measure; or ""
};

/// Why rows are left out whose peer is oneTBB.
inline constexpr const char* oneTbbIsMissing =
    "oneTBB is not installed; 'scripts/bench --install-peers' installs it";

/// The rows of the program; defined by it. The main function measures those that its command line names.
std::vector<Row> rows();

/// Throws unless a result is the right one.
template <class T>
void check(const T& got, const T& expected) {
  using std::to_string;
  if (!(got == expected))
    throw std::runtime_error("wrong result: got " + to_string(got) + ", expected " + to_string(expected));
}

/// How many nanoseconds the call of the function takes, divided by the number of operations that it does.
template <class F>
double nanoseconds(long operations, F&& function) {
  const auto begin = std::chrono::steady_clock::now();
  function();
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  return time.count() / static_cast<double>(operations);
}

/// The cost of malloc and free of 32 bytes, in ns: the peer that is called malloc.
double mallocAndFree();

}  // namespace tapestry::benchmarks
