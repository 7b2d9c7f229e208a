// What a training step on an embedding of many rows costs, beside one on few: it is to cost what the rows
// used do.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compare/compare.hpp"
#include "tapestry/deeplearning/operations/layout/embedding.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/optimizers/adam.hpp"
#include "tapestry/deeplearning/train.hpp"

namespace tapestry::benchmarks {

namespace {

constexpr std::size_t few = 1'000;
constexpr std::size_t many = 1'000'000;
constexpr std::size_t width = 32;
constexpr std::size_t used = 64;
constexpr long steps = 1'000;

/// A table, and steps each of which moves other rows of it down.
class Embeddings {
 public:
  /// Takes the first step, in which Adam makes room for what it keeps for each row.
  Embeddings(std::size_t rows, const Optimizer<Table<float>>& optimizer)
      : rows_(rows), table_(Table<float>(Tensor<float>::zeros({rows, width})), optimizer) {
    step();
  }

  double cost() {
    const double cost = nanoseconds(steps, [&] {
      for (long i = 0; i < steps; ++i) step();
    });
    const auto rows = table_.data().dense();
    const auto moved = std::ranges::count_if(rows.values(), [](float x) { return x < 0; });
    check(static_cast<std::size_t>(moved), std::min(rows_, used * taken_) * width);
    return cost / 1000;
  }

 private:
  void step() {
    std::vector<std::int64_t> indices(used);
    // a prime, so that all rows are used before one is used again
    for (auto& index : indices) index = static_cast<std::int64_t>(next_ = (next_ + 7919) % rows_);
    train(sum(embedding(table_, indices))).blockingAwait();
    ++taken_;
  }

  const std::size_t rows_;
  const TableWeight table_;
  std::size_t next_ = 0;
  std::size_t taken_ = 0;
};

Row compare(const std::string& optimizer, const Optimizer<Table<float>>& rule) {
  const auto costOf = [rule](std::size_t rows) {
    return [rule, rows, embeddings = std::shared_ptr<Embeddings>()]() mutable {
      if (!embeddings) embeddings = std::make_shared<Embeddings>(rows, rule);
      return embeddings->cost();
    };
  };
  return {.name = "embedding_step_rows_" + optimizer,
          .unit = "us/step",
          .peer = "1,000 rows, not 1,000,000",
          .target = 3,  // of what is not in the cache
          .ours = costOf(many),
          .theirs = costOf(few)};
}

}  // namespace

std::vector<Row> rows() { return {compare("sgd", sgd(0.1)), compare("adam", adam({}))}; }

}  // namespace tapestry::benchmarks
