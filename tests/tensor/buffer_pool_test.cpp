#include <tapestry/tensor/buffer_pool.hpp>

#include <doctest/doctest.h>

#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "support/sanitizers.hpp"
#include "support/threads/on_threads.hpp"

using tapestry::BufferPool;

namespace {

// Under AddressSanitizer nothing is kept.
constexpr bool recycles = !tapestry::test::underAddressSanitizer;

struct Block {
  void* memory;
  std::size_t bytes;
  unsigned char mark;
};

Block take(std::size_t bytes, unsigned char mark) {
  void* const memory = BufferPool::allocate(bytes);
  std::memset(memory, mark, bytes);
  return {memory, bytes, mark};
}

bool isIntact(const Block& block) {
  const auto* const bytes = static_cast<const unsigned char*>(block.memory);
  for (std::size_t i = 0; i < block.bytes; ++i)
    if (bytes[i] != block.mark) return false;
  return true;
}

// A queue between the thread that allocates and the thread that releases.
class Channel {
 public:
  void push(Block block) {
    const std::lock_guard lock(mutex_);
    blocks_.push_back(block);
    ready_.notify_one();
  }
  Block pop() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return !blocks_.empty(); });
    const Block block = blocks_.front();
    blocks_.pop_front();
    return block;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Block> blocks_;
};

}  // namespace

TEST_CASE("buffers of any size are aligned and do not overlap") {
  std::mt19937 random(1);
  std::vector<Block> blocks;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t bytes = random() % (std::size_t{1} << (random() % 18));
    blocks.push_back(take(bytes, static_cast<unsigned char>(i)));
    CHECK(reinterpret_cast<std::uintptr_t>(blocks.back().memory) % BufferPool::alignment == 0);
    if (random() % 3 == 0) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      CHECK(isIntact(blocks.back()));
      BufferPool::release(blocks.back().memory, blocks.back().bytes);
      blocks.pop_back();
    }
  }
  for (const Block& block : blocks) {
    CHECK(isIntact(block));
    BufferPool::release(block.memory, block.bytes);
  }
}

TEST_CASE("live buffers and bytes are counted, large and small") {
  const std::size_t buffers = BufferPool::liveBuffers();
  const std::size_t bytes = BufferPool::liveBytes();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{100}, std::size_t{1} << 20, std::size_t{100} << 20}) {
    void* const buffer = BufferPool::allocate(size);
    CHECK(BufferPool::liveBuffers() == buffers + 1);
    CHECK(BufferPool::liveBytes() == bytes + size);
    BufferPool::release(buffer, size);
    CHECK(BufferPool::liveBuffers() == buffers);
    CHECK(BufferPool::liveBytes() == bytes);
  }
}

TEST_CASE("any thread may release a buffer") {
  const std::size_t before = BufferPool::liveBuffers();
  constexpr int count = 20'000;
  Channel channel;
  std::thread other([&] {
    for (int i = 0; i < count; ++i) {
      const Block block = channel.pop();
      if (!isIntact(block)) FAIL_CHECK("a buffer was handed out twice");
      BufferPool::release(block.memory, block.bytes);
    }
  });
  for (int i = 0; i < count; ++i)
    channel.push(take(64 + static_cast<std::size_t>(i) % 5 * 100, static_cast<unsigned char>(i)));
  other.join();
  CHECK(BufferPool::liveBuffers() == before);
}

TEST_CASE(
    "a thread gets a large buffer that it has released, or else a buffer that another thread has released") {
  if (!recycles) return;
  constexpr std::size_t bytes = 5u << 20;
  int own = 0;
  for (int i = 0; i < 2; ++i) {
    void* const mine = BufferPool::allocate(bytes);
    void* others = BufferPool::allocate(bytes);
    BufferPool::release(mine, bytes);
    std::jthread([&] { BufferPool::release(others, bytes); }).join();
    const Block first = take(bytes, 1);
    const Block second = take(bytes, 2);
    own += first.memory == mine;  // one of the two threads may share with this one
    CHECK((first.memory == mine ? second.memory == others : first.memory == others && second.memory == mine));
    BufferPool::release(first.memory, bytes);
    BufferPool::release(second.memory, bytes);
  }
  CHECK(own >= 1);
}

TEST_CASE("many threads come and go, and other threads use the buffers that they kept") {
  const std::size_t before = BufferPool::liveBuffers();
  for (int round = 0; round < 20; ++round) {
    tapestry::test::onThreads(4, [](int i) {
      std::vector<Block> blocks;
      for (std::size_t j = 0; j < 300; ++j) blocks.push_back(take(300 + j, static_cast<unsigned char>(i)));
      for (const Block& block : blocks) {
        if (!isIntact(block)) FAIL_CHECK("a buffer was handed out twice");
        BufferPool::release(block.memory, block.bytes);
      }
    });
  }
  CHECK(BufferPool::liveBuffers() == before);
}

namespace {

// Releases and allocates when the thread's cache may already be gone: the locals of a thread end in reverse
// order.
struct LastWords {
  void* buffer = BufferPool::allocate(200);
  ~LastWords() {
    BufferPool::release(buffer, 200);
    BufferPool::release(BufferPool::allocate(200), 200);
  }
};

LastWords untilTheProcessEnds;

}  // namespace

TEST_CASE("a buffer may be released by the last local of a thread") {
  const std::size_t before = BufferPool::liveBuffers();
  std::thread([] {
    static thread_local LastWords beforeTheCache;
    CHECK(beforeTheCache.buffer != nullptr);
  }).join();
  CHECK(BufferPool::liveBuffers() == before);
  CHECK(untilTheProcessEnds.buffer != nullptr);
}

TEST_CASE("a buffer that no memory has room for is refused") {
  CHECK_THROWS_AS(BufferPool::allocate(SIZE_MAX), std::bad_alloc);
}
