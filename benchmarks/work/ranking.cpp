#include "work/ranking.hpp"

namespace tapestry::benchmarks {

namespace {

Table<float> initial(std::size_t rows, std::uint64_t seed) {
  Generator generator(seed);
  return Table<float>(normal({rows, examples::RankingModel::width}, 0, 0.1, generator));
}

}  // namespace

RankingWork::RankingWork() : users(initial(interactions.users, 1)), items(initial(interactions.items, 2)) {
  for (std::size_t i = 0; i < interactions.all.size() / batchSize; ++i)
    batches.push_back(examples::RankingBatch::draw(interactions, batchSize, examples::Random(i)));
}

}  // namespace tapestry::benchmarks
