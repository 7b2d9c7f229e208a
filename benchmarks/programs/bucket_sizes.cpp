// Measures steps of two ranks with delays of a network and with buckets of several sizes, beside the formula
// of docs/scaling.md.
#include <algorithm>
#include <cstdio>

#include "work/two_ranks.hpp"

namespace {

using tapestry::benchmarks::LayersOfRank;
using tapestry::benchmarks::TwoRanks;

/// The time from the beginning of the backward computation to the end of the last bucket, in ms.
double predicted(const TwoRanks& ranks, double backward) {
  const double buckets = TwoRanks::bytes / static_cast<double>(ranks.bucketBytes);
  const double bucket = (2 * ranks.latency + ranks.perByte * static_cast<double>(ranks.bucketBytes)) / 1e6;
  return std::max(backward + bucket, backward / buckets + buckets * bucket);
}

}  // namespace

int main() {
  std::puts("latency us  GB/s  bucket KiB  measured ms  formula ms");
  for (const double latency : {50e3, 500e3})
    for (const double gigabytes : {0.4, 4.0})
      for (const std::size_t layers : {1, 2, 4, 8}) {
        const double plain = TwoRanks().step();
        const double backward = plain * 2 / 3;
        const TwoRanks ranks{latency, 1 / gigabytes, layers * TwoRanks::layerBytes};
        // the votes after the buckets, and before the commit
        const double votes = 2 * latency / 1e6;
        std::printf("%10.0f  %4.1f  %10zu  %11.2f  %10.2f\n", latency / 1e3, gigabytes,
                    ranks.bucketBytes / 1024, ranks.step(),
                    plain - backward + predicted(ranks, backward) + votes);
      }
}
