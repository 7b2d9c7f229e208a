// Defines ThreadState, everything that the library keeps per thread: free nodes, dead nodes, and runs that
// are ready.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace tapestry::detail {

class Node;
class Task;
class StopState;
class DirectBlock;

/// Hears of every look of a run at a request to stop that is watched, before that sees the answer.
class StopWatch {
 public:
  virtual void lookedAt() noexcept = 0;

 protected:
  ~StopWatch() = default;
};

struct FreeNode {
  FreeNode* next;
};

/// Free nodes by size, in steps of 16 bytes from 8 on, which is what malloc has no waste in. `limit` is 0
/// until the thread's exit hook stands and after it has run, so that a thread never caches nodes that it
/// would not give back.
struct NodeCache {
  static constexpr std::size_t sizeClasses = 33;
  static constexpr std::uint32_t limitWhenAlive = 256;

  struct List {
    FreeNode* head = nullptr;
    std::uint32_t count = 0;
  };

  static constexpr std::size_t sizeClassOf(std::size_t bytes) noexcept { return (bytes + 7) >> 4; }
  static constexpr std::size_t bytesOf(std::size_t sizeClass) noexcept { return sizeClass * 16 + 8; }

  List lists[sizeClasses];
  void* chunk = nullptr;  ///< a free chunk of frames (frame_stack.cpp), from operator new, or null
  std::uint32_t limit = 0;
};

/// Nodes whose last reference is gone, linked through their counters: destroyed one by one, never
/// recursively.
struct Graveyard {
  bool digging = false;
  Node* head = nullptr;
};

/// What this thread runs next: tasks that were woken, first come first served, then branches of parallel
/// programs, the youngest first, so that an unshared parallel program runs in the order of its sequential
/// twin.
struct ReadyTasks {
  bool driving = false;
  std::uint32_t stepsLeft =
      1025;  ///< at the last of these, the run that is to take the step makes way for others
  Task* wokenHead = nullptr;
  Task* wokenTail = nullptr;
  Task* branches = nullptr;
};

/// What a thread is in the middle of. Each part ends with a whole word, so that all is copied by words.
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
  StopWatch* stopWatch = nullptr;  ///< of tests: watches the requests of this thread's runs
  bool startsInPlace = false;      ///< inside DetachedRun::start
  bool mustNotWait = false;        ///< in a task of an executor that a wait would hold up: no blockingAwait
};

extern constinit thread_local ThreadState threadState;

}  // namespace tapestry::detail
