#include "tapestry/continuation/detail/engine/frame_stack.hpp"

#include <doctest/doctest.h>

#include <random>
#include <utility>
#include <vector>

using namespace tapestry;
using detail::FrameStack;
using detail::Keeper;

namespace {

struct KeptNode final : detail::Node {
  explicit KeptNode(long& n) noexcept : live(n) { ++live; }
  ~KeptNode() override { --live; }
  long& live;
};

void resumeNothing(const void*, detail::Run&) {}
void unwindNothing(const void*, detail::Run&) {}

/// A frame as it was pushed; with neither function it only keeps its node.
struct PushedFrame {
  bool resumes = false, unwinds = false;
  const KeptNode* kept = nullptr;  ///< not released as long as the frame is on the stack
};

PushedFrame pushFrame(FrameStack& stack, unsigned kind, const int& object, long& live) {
  detail::Ref<const KeptNode> node = kind % 2 == 0 ? nullptr : detail::makeRef<const KeptNode>(live);
  PushedFrame pushed{.resumes = kind < 4, .unwinds = kind >= 2 && kind < 4, .kept = node.get()};
  if (pushed.resumes)
    stack.push({&object, resumeNothing, pushed.unwinds ? unwindNothing : nullptr, Keeper(std::move(node))});
  else
    stack.keep(Keeper(std::move(node)));
  return pushed;
}

void checkTopFrame(FrameStack& stack, const PushedFrame& pushed, const int& object) {
  REQUIRE(stack.onlyKeeps() == !pushed.resumes);
  if (!pushed.resumes) {
    const Keeper keeper = stack.popKeeper();
    CHECK(static_cast<bool>(keeper) == (pushed.kept != nullptr));
    return;
  }
  const detail::Frame frame = stack.pop();
  CHECK(frame.self == &object);
  CHECK((frame.resume == resumeNothing));
  CHECK((frame.unwind == (pushed.unwinds ? unwindNothing : nullptr)));
  CHECK(static_cast<bool>(frame.keeper) == (pushed.kept != nullptr));
}

}  // namespace

TEST_CASE(
    "frames of all kinds come back in reverse order, over several chunks, and release their nodes once") {
  std::mt19937 random(7);
  const int object = 0;
  long live = 0;
  FrameStack stack;
  std::vector<PushedFrame> pushed;
  // mostly pushes, then mostly pops, so that the stack grows to some 40 KiB and crosses each bound often
  for (const unsigned percent : {80U, 50U, 20U})
    for (int i = 0; i < 4000; ++i) {
      if (random() % 100 < percent) {
        pushed.push_back(pushFrame(stack, random() % 6, object, live));
      } else if (!pushed.empty()) {
        checkTopFrame(stack, pushed.back(), object);
        pushed.pop_back();
      }
      REQUIRE(stack.empty() == pushed.empty());
    }
  for (; !pushed.empty(); pushed.pop_back()) checkTopFrame(stack, pushed.back(), object);
  CHECK(stack.empty());
  CHECK(live == 0);
}

TEST_CASE("a frame that only keeps a node may begin a chunk") {
  const int object = 0;
  long live = 0;
  for (int below = 0; below < 8; ++below) {
    FrameStack stack;
    std::vector<PushedFrame> pushed;
    for (int i = 0; i < below; ++i) pushed.push_back(pushFrame(stack, 5, object, live));
    for (int i = 0; i < 3; ++i) pushed.push_back(pushFrame(stack, i == 1 ? 3 : 5, object, live));
    CHECK(live == below + 3);
    for (; !pushed.empty(); pushed.pop_back()) checkTopFrame(stack, pushed.back(), object);
    CHECK(live == 0);
  }
}

TEST_CASE("a stack releases the nodes of the frames that are left") {
  const int object = 0;
  long live = 0;
  {
    FrameStack stack;
    for (unsigned i = 0; i < 600; ++i) pushFrame(stack, i % 6, object, live);
    CHECK(live == 300);
  }
  CHECK(live == 0);
}
