#include "work/paper.hpp"

#include <map>
#include <utility>

#include "support/column_network.hpp"
#include "work/weights.hpp"

namespace tapestry::benchmarks {

namespace {

constexpr std::uint64_t seed = 1;

std::vector<examples::ClassBatches::Batch> makeBatches() {
  constexpr std::size_t count = PaperWork::steps * PaperWork::batchSize;
  const auto data = examples::numberFineClasses(examples::paintImages(count, seed, 0), {}, "painted images");
  const examples::ClassBatches all(data.training, PaperWork::batchSize, seed);
  std::vector<examples::ClassBatches::Batch> batches;
  for (std::size_t i = 0; i < PaperWork::steps; ++i) batches.push_back(all.get(i));
  return batches;
}

}  // namespace

const PaperWork& paperWork(std::size_t columns, bool skip) {
  static const auto batches = makeBatches();
  static std::map<std::pair<std::size_t, bool>, const PaperWork> works;
  const auto found = works.find({columns, skip});
  if (found != works.end()) return found->second;
  const examples::ColumnNetwork network(columns, seed);
  return works
      .emplace(std::pair(columns, skip), PaperWork{columns, skip, valuesOf(network.weights()), batches})
      .first->second;
}

}  // namespace tapestry::benchmarks
