// Large layers, where the libraries that they are computed by set the pace: beside these libraries alone.
#include <string>

#include "compare/side.hpp"
#include "hand/sides.hpp"
#include "ours/sides.hpp"

namespace tapestry::benchmarks {

namespace {

Row row(const std::string& name, const std::string& peer, unsigned threads, double target) {
  return {.name = name + "_t" + std::to_string(threads),
          .unit = "us/pass",
          .peer = peer,
          .target = target,
          .threads = threads,
          .repetitions = 15};
}

Row dense(unsigned threads, double target) {
  static const DenseWork work;
  return compareSides(
      row("dense_1024_gemm", "products alone, " + kernelsOf(hand::Library::fastest), threads, target), 1,
      [=] { return oursOnDense(work, threads); }, {[=] { return hand::bareProducts(work, threads); }});
}

Row convolution(unsigned threads, double target) {
  static const ConvolutionWork work;
  const auto bare = [=](hand::Formats formats) {
    return [=] { return hand::bareConvolutions(work, formats, threads); };
  };
  return compareSides(row("conv_onednn", "convolutions alone, oneDNN", threads, target), 1,
                      [=] { return oursOnConvolution(work, threads); },
                      {bare(hand::Formats::best), bare(hand::Formats::plain)});
}

}  // namespace

std::vector<Row> rows() { return {dense(1, 1.1), dense(2, 1.15), convolution(1, 1.2), convolution(2, 1.3)}; }

}  // namespace tapestry::benchmarks
