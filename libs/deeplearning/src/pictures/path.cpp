#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tapestry/continuation/monad/trace.hpp"
#include "tapestry/continuation/observe_runs.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"
#include "tapestry/deeplearning/extend/graph.hpp"
#include "tapestry/deeplearning/pass_observer.hpp"

namespace tapestry::detail {

namespace {

/// Such as "matmul of [3, 4] and [5, 2]", as far as the shapes of the operands are known.
std::string stepOf(const extend::NodeView& node) {
  std::string text(node.name());
  // not those in the node's details, which may throw for shapes that do not fit; nor the details of the
  // operands, which read data that the pass may drop meanwhile
  std::vector<std::optional<Shape>> operands;
  for (const extend::NodeView& operand : node.operands()) operands.push_back(operand.shape());
  const bool anyKnown = std::ranges::any_of(operands, [](const auto& shape) { return shape.has_value(); });
  for (std::size_t i = 0; anyKnown && i < operands.size(); ++i) {
    text += i == 0 ? " of " : i + 1 == operands.size() ? " and " : ", ";
    text += operands[i] ? toString(*operands[i]) : "an unknown shape";
  }
  return text;
}

bool isOpen(NodeState& state) {
  const SpinGuard guard(state.queue.lock);
  return state.phase != Phase::failed && state.phase != Phase::opening;
}

/// The states that the node of `user` takes its data from.
std::vector<NodeState*> sourcesOf(NodeState& user) {
  if (NodeState* const chosen = user.node->chosenIn(user)) return {chosen};
  const auto states = user.node->operandStates(user);
  return {states.begin(), states.end()};
}

/// For each node of the pass, one node that uses it and passes deltas to it.
std::unordered_map<const NodeState*, NodeState*> usersIn(const Pass& pass) {
  std::unordered_map<const NodeState*, NodeState*> users;
  for (NodeState* state = pass.visited(); state; state = state->nextVisited)
    if (state->wantsDelta && isOpen(*state))
      for (const NodeState* source : sourcesOf(*state)) users.emplace(source, state);
  return users;
}

void noteUsers(const std::exception_ptr& error, const NodeState& culprit) {
  const auto users = usersIn(culprit.pass());
  for (auto user = users.find(&culprit); user != users.end(); user = users.find(user->second))
    extend::noteStep(error, stepOf(extend::NodeView(*user->second->node)));
}

}  // namespace

void notePath(NodeState& failed) noexcept try {
  std::vector<NodeState*> path;
  for (NodeState* state = &failed;;) {
    const auto operands = state->node->operandStates(*state);
    if (state->next >= operands.size()) break;
    path.push_back(state);
    state = operands[state->next];
  }
  for (auto state = path.rbegin(); state != path.rend(); ++state)
    extend::noteStep(failed.error, stepOf(extend::NodeView(*(*state)->node)));
} catch (...) {  // NOLINT: no memory for the trace, which is then shorter
}

void noteThrown(const std::exception_ptr& error, const NodeState& state) noexcept try {
  extend::noteStep(error, stepOf(extend::NodeView(*state.node, &state)));
} catch (...) {  // NOLINT: no memory for the trace, which is then shorter
}

void notePathToLoss(const std::exception_ptr& error, const NodeState& culprit) noexcept try {
  extend::noteStep(error, "the backward of " + stepOf(extend::NodeView(*culprit.node, &culprit)));
  noteUsers(error, culprit);
} catch (...) {  // NOLINT: no memory for the trace, which is then shorter
}

namespace {

const char* wordOf(PassObserver::Event event) noexcept {
  using enum PassObserver::Event;
  return event == read       ? "reads "
         : event == forward  ? "computes "
         : event == backward ? "derives "
         : event == step     ? "steps "
                             : nullptr;
}

class PassPrinter final : public PassObserver {
 public:
  void observeNode(Event event, const extend::NodeView& node) noexcept override {
    const char* const word = wordOf(event);
    if (word) print([&] { return word + stepOf(node) + resultOf(node); });
  }
  void passOpened(const void*) noexcept override { extend::printStep("pass opens"); }
  void passEnded(const void*) noexcept override { extend::printStep("pass ends"); }

 private:
  static void print(const auto& text) noexcept {
    try {
      extend::printStep(text());
    } catch (...) {  // NOLINT: no memory for the line, which is left out
    }
  }
  static std::string resultOf(const extend::NodeView& node) {
    const auto shape = node.shape();
    return shape ? " to " + toString(*shape) : std::string();
  }
};

}  // namespace

std::shared_ptr<PassObserver> observerForEnvironment() {
  return extend::printsSteps() ? std::make_shared<PassPrinter>() : nullptr;
}

}  // namespace tapestry::detail
