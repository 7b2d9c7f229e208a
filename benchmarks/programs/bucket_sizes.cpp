// Measures steps of two ranks with delays of a network and with buckets of several sizes, beside the formula
// of docs/scaling.md.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "work/two_ranks.hpp"

namespace {

using tapestry::benchmarks::LayersOfRank;
using tapestry::benchmarks::TwoRanks;

/// The time from the beginning of the backward computation to the end of the last bucket, in ms.
double predicted(const TwoRanks& ranks, double backward) {
  const double buckets = TwoRanks::bytes / static_cast<double>(ranks.bucketBytes);
  const double latency = ranks.latency / 1e6;
  const double bucket = ranks.perByte * static_cast<double>(ranks.bucketBytes) / 1e6;
  return 2 * latency + std::max(backward + bucket, backward / buckets + buckets * std::max(bucket, latency));
}

constexpr std::chrono::milliseconds layerSleep(4);

}  // namespace

int main() {
  const double plain = TwoRanks{.layerSleep = layerSleep}.leastStep();
  const double backward = static_cast<double>(LayersOfRank::count * layerSleep.count());
  std::printf("without delays %.2f ms, of which %.0f ms are the backward computation\n", plain, backward);
  std::puts("latency us  GB/s  bucket KiB  measured ms  formula ms");
  for (const double latency : {50e3, 2000e3})
    for (const double gigabytes : {0.1, 0.4})
      for (const std::size_t layers : {1, 2, 4, 8}) {
        const TwoRanks ranks{latency, 1 / gigabytes, layers * TwoRanks::layerBytes, layerSleep};
        // the votes after the buckets, and before the commit
        const double votes = 2 * latency / 1e6;
        std::printf("%10.0f  %4.1f  %10zu  %11.2f  %10.2f\n", latency / 1e3, gigabytes,
                    ranks.bucketBytes / 1024, ranks.leastStep(),
                    plain - backward + predicted(ranks, backward) + votes);
      }
}
