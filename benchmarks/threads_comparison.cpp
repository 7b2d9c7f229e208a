// What it costs to go to another thread, and to share work out between two.
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#if TAPESTRY_HAS_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#endif

#include "compare/compare.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"

namespace tapestry::benchmarks {

namespace {

// Hops between two pools of one thread. Each thread has a task that posts itself all the time, so that
// neither sleeps.

constexpr int hops = 10'000;

UnitContinuation<int> hop(ThreadPool& from, ThreadPool& to, int count) {
  if (count == hops) return now(count);
  return shift(to).flatMap([&from, &to, count] { return hop(to, from, count + 1); });
}

class Spin final : public detail::Task {
 public:
  void start(ThreadPool& pool) {
    pool_ = &pool;
    execute();
  }
  void end() { ending_.store(true, std::memory_order_relaxed); }
  /// A pool that is being destroyed refuses it, which ends it as well.
  void execute() noexcept override {
    if (!ending_.load(std::memory_order_relaxed)) (void)pool_->post(*this);
  }

 private:
  ThreadPool* pool_ = nullptr;
  std::atomic<bool> ending_ = false;
};

/// The cost of a hop in a round of hops, after each thread has got a processor of its own: the kernel may
/// start two new threads on one processor, and separate them up to 16 ms later.
double settledHop(const std::function<int()>& round) {
  using namespace std::chrono_literals;
  const auto settled = std::chrono::steady_clock::now() + 30ms;
  while (std::chrono::steady_clock::now() < settled) round();
  return nanoseconds(hops, [&] { check(round(), hops); });
}

double hopping() {
  // which the pools may refer to until they are destroyed
  Spin spinA, spinB;
  std::deque<std::promise<int>> rounds;
  ThreadPool a(1), b(1);
  spinA.start(a);
  spinB.start(b);
  const double cost = settledHop([&] {
    std::promise<int>& done = rounds.emplace_back();
    hop(a, b, 0).onComplete([&](Outcome<int> outcome) { done.set_value(std::move(outcome).valueOrThrow()); },
                            a);
    return done.get_future().get();
  });
  spinA.end();
  spinB.end();
  return cost;
}

struct AsioHop {
  boost::asio::thread_pool *from, *to;
  std::promise<int>* done;
  int count;

  void operator()() const {
    if (count == hops) return done->set_value(count);
    boost::asio::post(*to, AsioHop{to, from, done, count + 1});
  }
};

struct AsioSpin {
  boost::asio::thread_pool* pool;
  const std::atomic<bool>* ending;

  void operator()() const {
    if (!ending->load(std::memory_order_relaxed)) boost::asio::post(*pool, *this);
  }
};

double hoppingOfAsio() {
  std::atomic<bool> ending = false;
  std::deque<std::promise<int>> rounds;
  boost::asio::thread_pool a(1), b(1);
  AsioSpin{&a, &ending}();
  AsioSpin{&b, &ending}();
  const double cost = settledHop([&] {
    std::promise<int>& done = rounds.emplace_back();
    boost::asio::post(a, AsioHop{&a, &b, &done, 0});
    return done.get_future().get();
  });
  ending = true;
  a.join();
  b.join();
  return cost;
}

// A binary tree of forks, whose leaves compute for 100 ns each.

constexpr int depth = 16;
constexpr long leaves = 1L << depth;

std::uint64_t compute(std::uint64_t leaf, int rounds) {
  for (int i = 0; i < rounds; ++i) leaf = leaf * 6364136223846793005u + 1442695040888963407u;
  return leaf >> 32;
}

/// How many rounds take 100 ns.
int rounds() {
  static const int result = [] {
    constexpr int tried = 1000;
    std::uint64_t sum = 0;
    double best = 1e9;
    for (int i = 0; i < 100; ++i)
      best = std::min(best, nanoseconds(10 * tried, [&] {
                        for (int j = 0; j < 10; ++j) sum += compute(sum, tried);
                      }));
    return sum == 0 ? 1 : static_cast<int>(100 / best);
  }();
  return result;
}

std::uint64_t expectedSum() {
  static const std::uint64_t result = [] {
    std::uint64_t sum = 0;
    for (long i = 0; i < leaves; ++i) sum += compute(static_cast<std::uint64_t>(i), rounds());
    return sum;
  }();
  return result;
}

UnitContinuation<std::uint64_t> tree(int level, std::uint64_t index) {
  if (level == depth) return delay([index] { return compute(index, rounds()); });
  return suspend([level, index] {
    return tuple2(parallel(tree(level + 1, 2 * index)), parallel(tree(level + 1, 2 * index + 1)))
        .map([](const auto& sums) { return std::get<0>(sums) + std::get<1>(sums); });
  });
}

double forkJoin() {
  static ThreadPool worker(1);
  std::uint64_t sum = 0;
  const double cost = nanoseconds(leaves, [&] { sum = tree(0, 0).blockingAwait(worker); });
  check(sum, expectedSum());
  return cost;
}

#if TAPESTRY_HAS_TBB
std::uint64_t treeOfTbb(int level, std::uint64_t index) {
  if (level == depth) return compute(index, rounds());
  std::uint64_t left = 0, right = 0;
  tbb::parallel_invoke([&] { left = treeOfTbb(level + 1, 2 * index); },
                       [&] { right = treeOfTbb(level + 1, 2 * index + 1); });
  return left + right;
}

double forkJoinOfTbb() {
  static const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
  static tbb::task_arena arena(2);
  std::uint64_t sum = 0;
  const double cost = nanoseconds(leaves, [&] { arena.execute([&] { sum = treeOfTbb(0, 0); }); });
  check(sum, expectedSum());
  return cost;
}
constexpr const char* missing = "";
#else
double forkJoinOfTbb() { return 0; }
constexpr const char* missing = oneTbbIsMissing;
#endif

}  // namespace

std::vector<Row> rows() {
  return {
      {.name = "hop_asio",
       .unit = "ns/hop",
       .peer = "Asio post",
       .target = 1.1,
       .threads = 2,
       .ours = hopping,
       .theirs = hoppingOfAsio,
       .repetitions = 101},
      {.name = "fork_join_tbb",
       .unit = "ns/leaf",
       .peer = "oneTBB parallel_invoke",
       .target = 1,
       .threads = 2,
       .ours = forkJoin,
       .theirs = forkJoinOfTbb,
       .repetitions = 31,
       .leftOut = missing},
  };
}

}  // namespace tapestry::benchmarks
