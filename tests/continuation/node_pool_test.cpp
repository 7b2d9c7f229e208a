#include "tapestry/continuation/detail/engine/node_pool.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "support/sanitizers.hpp"
#include "tapestry/continuation.hpp"

using namespace tapestry;

namespace {

constexpr bool sanitized = test::underAddressSanitizer || test::underThreadSanitizer;

/// Resident memory in KiB; 0 where the system does not tell, or it is a sanitizer's.
long residentKiB() {
  if (sanitized) return 0;
  long pages = 0;
  long resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * 4;
}

struct alignas(64) AlignedNode : detail::Node {};

using Batch = std::vector<UnitContinuation<int>>;

Batch makeBatch() {
  Batch batch;
  for (int i = 0; i < 1000; ++i) batch.push_back(now(i).map([](int x) { return x; }));
  return batch;
}

}  // namespace

TEST_CASE("nodes of any size are aligned and do not overlap") {
  std::vector<std::pair<unsigned char*, std::size_t>> nodes;
  for (std::size_t bytes = 8; bytes <= 1024; bytes += 8)
    for (int i = 0; i < 4; ++i) {
      auto* memory = static_cast<unsigned char*>(detail::allocateNode(bytes));
      CHECK(reinterpret_cast<std::uintptr_t>(memory) % 16 == 0);
      std::memset(memory, static_cast<int>(nodes.size() % 251), bytes);
      nodes.emplace_back(memory, bytes);
    }
  bool intact = true;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (std::size_t i = 0; i < nodes[n].second; ++i) intact = intact && nodes[n].first[i] == n % 251;
  CHECK(intact);
  for (const auto& [memory, bytes] : nodes) detail::deallocateNode(memory, bytes);
}

TEST_CASE("a node of a type with a special alignment has that alignment") {
  for (int i = 0; i < 10; ++i) {
    const auto node = detail::makeRef<AlignedNode>();
    CHECK(reinterpret_cast<std::uintptr_t>(node.get()) % 64 == 0);
  }
}

TEST_CASE("nodes that are freed on another thread than their maker keep memory flat") {
  constexpr int rounds = 2000;
  std::mutex mutex;
  std::vector<Batch> queue;
  std::atomic<bool> done{false};
  std::jthread consumer([&] {
    while (!done) {
      std::vector<Batch> taken;
      {
        const std::lock_guard lock(mutex);
        taken.swap(queue);
      }
      if (taken.empty()) std::this_thread::yield();
      for (const auto& batch : taken) CHECK(batch.back().blockingAwait() == 999);
    }
  });
  const auto backlog = [&] {
    const std::lock_guard lock(mutex);
    return queue.size();
  };
  long early = 0;
  for (int i = 0; i < rounds; ++i) {
    if (i == rounds / 10) early = residentKiB();
    auto batch = makeBatch();
    {
      const std::lock_guard lock(mutex);
      queue.push_back(std::move(batch));
    }
    while (backlog() > 4) std::this_thread::yield();
  }
  const long late = residentKiB();
  done = true;
  consumer.join();
  // 2,000 rounds of 1,000 nodes are some 200 MB
  CHECK(late - early < 32 * 1024);
}

TEST_CASE("threads that come and go give their nodes back") {
  const auto round = [] { std::thread([] { makeBatch(); }).join(); };
  for (int i = 0; i < 100; ++i) round();
  const long early = residentKiB();
  for (int i = 0; i < 1000; ++i) round();
  CHECK(residentKiB() - early < 16 * 1024);
}

TEST_CASE("nodes may outlive the thread that made them") {
  Batch batch;
  std::thread([&] { batch = makeBatch(); }).join();
  CHECK(batch[500].blockingAwait() == 500);
  std::thread([&] { batch.clear(); }).join();
  CHECK(batch.empty());
}

TEST_CASE("nodes may die while their thread ends") {
  struct AtExit {
    Batch batch;
    ~AtExit() {
      CHECK(batch.front().blockingAwait() == 0);
      batch.clear();
      const auto late = makeBatch();
    }
  };
  std::size_t size = 0;
  // the library's own thread-local state is made after this one, so it is destroyed before it
  std::thread([&] {
    static thread_local AtExit atExit;
    atExit.batch = makeBatch();
    size = atExit.batch.size();
  }).join();
  CHECK(size == 1000);
}
