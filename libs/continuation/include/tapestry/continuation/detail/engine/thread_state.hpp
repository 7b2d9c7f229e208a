// Defines ThreadState, the library's state of a thread, such as free nodes, dead nodes and ready tasks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#pragma GCC visibility push(default)
namespace tapestry::detail {

class Node;
class Task;
class StopState;
class DirectBlock;

/// Is notified of each check of a watched request to stop, before the check reads the request.
class StopWatch {
 public:
  virtual void lookedAt() noexcept = 0;

 protected:
  ~StopWatch() = default;
};

struct FreeNode {
  FreeNode* next;
};

/// Free nodes by size, in steps of 16 bytes from 8 on, sizes without waste in malloc. `limit` is 0 until the
/// thread's exit hook exists and after it has run, so that a thread never caches nodes that it would not give
/// back.
struct NodeCache {
  static constexpr std::size_t sizeClasses = 33;
  static constexpr std::uint32_t limitWhenAlive = 256;

  struct List {
    /// Returns null if the list is empty.
    FreeNode* pop() noexcept {
      FreeNode* const node = head;
      if (node) head = node->next, --count;
      return node;
    }
    void push(void* memory) noexcept {
      head = ::new (memory) FreeNode{head};
      ++count;
    }

    FreeNode* head = nullptr;
    std::uint32_t count = 0;
  };

  static constexpr std::size_t sizeClassOf(std::size_t bytes) noexcept { return (bytes + 7) >> 4; }
  static constexpr std::size_t bytesOf(std::size_t sizeClass) noexcept { return sizeClass * 16 + 8; }

  List lists[sizeClasses];
  void* chunk = nullptr;  ///< a free chunk of frames (frame_stack.cpp), from operator new, or null
  std::uint32_t limit = 0;
};

/// Nodes without references, linked through their counters; they are destroyed one by one, never recursively.
struct Graveyard {
  bool digging = false;
  Node* head = nullptr;
};

/// The tasks that this thread runs next: woken tasks in their order, then branches of parallel programs, the
/// youngest first, so that a parallel program on one thread runs in the same order as the sequential program,
/// unless a branch takes many turns.
struct ReadyTasks {
  bool driving = false;
  std::uint16_t turnsKept = 0;     ///< the turns of runs that usually keep the thread
  std::uint32_t stepsLeft = 1025;  ///< at the last of these, the run yields to other tasks before the step
  Task* wokenHead = nullptr;
  Task* wokenTail = nullptr;
  Task* branches = nullptr;
};

/// The current work of a thread. Each part ends with a whole word, so that all is copied by words.
struct Activity {
  Graveyard graveyard;
  ReadyTasks ready;
  const void* worker = nullptr;  ///< the executor that this thread works for
  DirectBlock* block = nullptr;  ///< the block of direct style on whose fiber this thread is
  bool requestingStop = false;
  StopState* stopRequests = nullptr;
};

struct ThreadState : Activity {
  NodeCache nodes;
  StopWatch* stopWatch = nullptr;  ///< for tests: watches the requests of this thread's runs
  bool startsInPlace = false;      ///< inside DetachedRun::start
  bool mustNotWait = false;        ///< other runs need this thread, as in a pool: no blockingAwait
};

extern constinit thread_local ThreadState threadState;

}  // namespace tapestry::detail
#pragma GCC visibility pop
