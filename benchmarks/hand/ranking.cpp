#include "hand/sides.hpp"

#include <cmath>
#include <memory>
#include <thread>

namespace tapestry::benchmarks::hand {

namespace {

constexpr std::size_t width = examples::RankingModel::width;

class Factors {
 public:
  Factors(const RankingWork& work, unsigned threads) : work_(work), threads_(threads) {}

  void reset() {
    users_ = copied(work_.users);
    items_ = copied(work_.items);
  }

  double epoch() {
    std::vector<double> losses(threads_);
    {
      std::vector<std::jthread> others;
      for (unsigned i = 1; i < threads_; ++i) others.emplace_back([&, i] { losses[i] = share(i); });
      losses[0] = share(0);
    }
    double sum = 0;
    for (const double loss : losses) sum += loss;
    return sum / static_cast<double>(work_.batches.size() * RankingWork::batchSize);
  }

 private:
  static std::vector<float> copied(const Table<float>& table) {
    const auto rows = table.dense();
    return {rows.values().begin(), rows.values().end()};
  }

  double share(unsigned thread) {
    double loss = 0;
    for (std::size_t i = thread; i < work_.batches.size(); i += threads_) {
      const auto& [users, liked, others] = work_.batches[i];
      for (std::size_t j = 0; j < users.size(); ++j)
        loss += step(row(users_, users[j]), row(items_, liked[j]), row(items_, others[j]));
    }
    return loss;
  }

  static float* row(std::vector<float>& rows, std::int64_t index) {
    return rows.data() + static_cast<std::size_t>(index) * width;
  }

  static double step(float* __restrict user, float* __restrict liked, float* __restrict other) {
    if (liked == other) return std::log(2.0);
    float agreement = 0;
    for (std::size_t i = 0; i < width; ++i) agreement += user[i] * (liked[i] - other[i]);
    const float odds = std::exp(-agreement);
    const float change = static_cast<float>(RankingWork::learningRate) * odds / (1 + odds);
    for (std::size_t i = 0; i < width; ++i) {
      const float own = user[i];
      user[i] += change * (liked[i] - other[i]);
      liked[i] += change * own;
      other[i] -= change * own;
    }
    return std::log1p(odds);
  }

  const RankingWork& work_;
  const unsigned threads_;
  std::vector<float> users_, items_;
};

}  // namespace

Side rankingByHand(const RankingWork& work, unsigned threads) {
  const auto factors = std::make_shared<Factors>(work, threads);
  return {.reset = [factors] { factors->reset(); }, .run = [factors] { return factors->epoch(); }};
}

}  // namespace tapestry::benchmarks::hand
