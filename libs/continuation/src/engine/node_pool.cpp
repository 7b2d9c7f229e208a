#include "tapestry/continuation/detail/engine/node_pool.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "../sanitizer.hpp"
#include "tapestry/continuation/detail/engine/node.hpp"

namespace tapestry::detail {

constinit thread_local ThreadState threadState;

namespace {

/// AddressSanitizer finds uses of freed nodes only if they are not used again.
constexpr bool recycling = !isAsan;

/// Surplus free nodes of all threads. Never destroyed, so that nodes may be destroyed during static
/// destruction.
class Depot {
 public:
  static constexpr std::uint32_t batch = NodeCache::limitWhenAlive / 2;
  /// The most nodes of a size, which still fit in a cache: they come back in the order in which they were
  /// freed, scattered in memory.
  static constexpr std::uint32_t bound = 16 * batch;

  static Depot& instance() {
    static Depot* const depot = new Depot;
    return *depot;
  }

  /// Moves up to a batch from one list to the other.
  void take(std::size_t sizeClass, NodeCache::List& to) {
    auto& from = lists_[sizeClass];
    if (from.countHint.load(std::memory_order_relaxed) == 0) return;
    const std::lock_guard lock(mutex_);
    move(from.list, to, batch);
    from.keepHint();
  }

  /// Moves `count` nodes in; nodes beyond the bound stay in `from`.
  void give(std::size_t sizeClass, NodeCache::List& from, std::uint32_t count) {
    auto& to = lists_[sizeClass];
    if (to.countHint.load(std::memory_order_relaxed) == bound) return;
    const std::lock_guard lock(mutex_);
    move(from, to.list, std::min(count, bound - to.list.count));
    to.keepHint();
  }

 private:
  /// `countHint`, read without the lock, saves the lock where the list is empty or full.
  struct List {
    NodeCache::List list;
    std::atomic<std::uint32_t> countHint{0};
    void keepHint() noexcept { countHint.store(list.count, std::memory_order_relaxed); }
  };

  static void move(NodeCache::List& from, NodeCache::List& to, std::uint32_t count) {
    for (; count > 0 && from.head; --count) to.push(from.pop());
  }

  std::mutex mutex_;
  List lists_[NodeCache::sizeClasses];
};

void freeNodes(NodeCache::List& list, std::uint32_t count) noexcept {
  for (; count > 0; --count) ::operator delete(list.pop());
}

/// Gives this thread's free nodes back when the thread ends.
struct ExitHook {
  ExitHook() noexcept { threadState.nodes.limit = NodeCache::limitWhenAlive; }
  ~ExitHook() {
    auto& cache = threadState.nodes;
    cache.limit = 0;
    for (std::size_t i = 0; i < NodeCache::sizeClasses; ++i) {
      Depot::instance().give(i, cache.lists[i], cache.lists[i].count);
      freeNodes(cache.lists[i], cache.lists[i].count);
    }
    ::operator delete(std::exchange(cache.chunk, nullptr));
  }
};

/// Adds a few new nodes in ascending order of their addresses. Freed nodes come back from malloc in an order
/// that reverses every few nodes, which hardware prefetchers do not follow. Larger nodes are left to malloc,
/// since their best place is beside the nodes that are made together with them.
void refill(NodeCache::List& list, std::size_t sizeClass) {
  constexpr std::size_t largest = 64;
  constexpr std::uint32_t few = 8;
  if (NodeCache::bytesOf(sizeClass) > largest) return;
  while (list.count < few) {
    void* const memory = ::operator new(NodeCache::bytesOf(sizeClass));
    FreeNode** place = &list.head;
    while (*place && std::less<const void*>()(*place, memory)) place = &(*place)->next;
    *place = ::new (memory) FreeNode{*place};
    ++list.count;
  }
}

void beginCaching() noexcept { static thread_local ExitHook hook; }

}  // namespace

void* allocateNodeSlowly(std::size_t bytes) {
  const std::size_t sizeClass = NodeCache::sizeClassOf(bytes);
  if (!recycling || sizeClass >= NodeCache::sizeClasses) return ::operator new(bytes);
  beginCaching();
  auto& list = threadState.nodes.lists[sizeClass];
  if (threadState.nodes.limit > 0) {
    Depot::instance().take(sizeClass, list);
    if (!list.head) refill(list, sizeClass);
  }
  if (FreeNode* const node = list.pop()) return node;
  return ::operator new(NodeCache::bytesOf(sizeClass));
}

void deallocateNodeSlowly(void* memory, std::size_t bytes) noexcept {
  const std::size_t sizeClass = NodeCache::sizeClassOf(bytes);
  auto& cache = threadState.nodes;
  if (recycling && sizeClass < NodeCache::sizeClasses && cache.limit > 0) {
    auto& list = cache.lists[sizeClass];
    Depot::instance().give(sizeClass, list, Depot::batch);
    if (list.count < cache.limit) return list.push(memory);
  }
  ::operator delete(memory);
}

void Node::bury(Node* node) noexcept {
  auto& graveyard = threadState.graveyard;
  if (graveyard.digging) {
    // relaxed: a dead node belongs to this thread alone
    node->references_.store(reinterpret_cast<std::uintptr_t>(graveyard.head), std::memory_order_relaxed);
    graveyard.head = node;
    return;
  }
  graveyard.digging = true;
  delete node;
  if (graveyard.head) buryRest();
  graveyard.digging = false;
}

// not inlined, since most nodes are the last holders of no other node
[[gnu::noinline]] void Node::buryRest() noexcept {
  auto& graveyard = threadState.graveyard;
  while (Node* dead = graveyard.head) {
    graveyard.head = reinterpret_cast<Node*>(dead->references_.load(std::memory_order_relaxed));
    delete dead;
  }
}

}  // namespace tapestry::detail
