// Defines dumpRuns, which writes the runs as a tree for users, and linesOfRunsIn, which writes lines for the
// test kit.
#include <algorithm>
#include <ostream>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "tapestry/continuation/named.hpp"
#include "tapestry/continuation/observe_runs.hpp"
#include "tapestry/continuation/track_runs.hpp"

namespace tapestry {

namespace detail {

namespace {

void writePlace(std::ostream& out, const std::source_location& location) {
  if (location.line() != 0) out << " (" << location.file_name() << ':' << location.line() << ')';
}

void writeName(std::ostream& out, const ProgramName& name) {
  if (name.ofUser)
    out << '"' << name.name << '"';
  else
    out << name.name;
  writePlace(out, name.location);
}

/// The scopes at one time, and their nesting.
class ScopeTree {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  ScopeTree() : scopes_(NamedScope::all()), links_(scopes_.size()) {
    std::unordered_map<const NamedScope*, std::size_t> indices;
    for (std::size_t i = 0; i < scopes_.size(); ++i) {
      indices.emplace(scopes_[i].scope, i);
      const auto outer = indices.find(scopes_[i].outer);
      if (outer == indices.end()) continue;
      links_[i].outer = outer->second;
      links_[outer->second].inner.push_back(i);
    }
  }

  std::size_t size() const noexcept { return scopes_.size(); }
  const NamedScope::Snapshot& operator[](std::size_t i) const noexcept { return scopes_[i]; }
  std::size_t outer(std::size_t i) const noexcept { return links_[i].outer; }
  const std::vector<std::size_t>& inner(std::size_t i) const noexcept { return links_[i].inner; }

 private:
  struct Links {
    std::size_t outer = none;
    std::vector<std::size_t> inner;
  };
  std::vector<NamedScope::Snapshot> scopes_;
  std::vector<Links> links_;
};

/// Writes a line for each wait of the scope, or one line if the scope is at work. Each begins with names().
template <class F>
void writeLines(std::ostream& out, const ScopeTree& tree, std::size_t i, const F& names) {
  for (const Wait& wait : tree[i].waits) {
    names();
    out << ": waits for " << wait.operation;
    writePlace(out, wait.location);
    out << '\n';
  }
  if (!tree[i].waits.empty() || !tree.inner(i).empty()) return;
  names();
  out << ": at work\n";
}

/// Writes the lines of the scope, at least one.
void writeScope(std::ostream& out, const ScopeTree& tree, std::size_t i, std::size_t depth) {
  constexpr std::size_t deepest = 40;  // else the text's length is quadratic in the depth of a recursion
  const auto name = [&, margin = std::string(2 * std::min(depth, deepest), ' ')] {
    out << margin;
    writeName(out, *tree[i].name);
  };
  writeLines(out, tree, i, name);
  if (!tree[i].waits.empty() || tree.inner(i).empty()) return;
  name();
  out << '\n';
}

/// Writes the names from the innermost to the outermost.
void writeChain(std::ostream& out, const ScopeTree& tree, std::size_t i) {
  const char* before = "";
  for (; i != ScopeTree::none; i = tree.outer(i)) {
    out << before;
    writeName(out, *tree[i].name);
    before = " in ";
  }
}

}  // namespace

std::string linesOfRunsIn(const ProgramName& name) {
  std::ostringstream out;
  const ScopeTree tree;
  std::vector<const ProgramName*> outermost(tree.size());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    outermost[i] = tree.outer(i) == ScopeTree::none ? tree[i].name.get() : outermost[tree.outer(i)];
    if (outermost[i] == &name) writeLines(out, tree, i, [&] { writeChain(out, tree, i); });
  }
  return out.str();
}

constinit std::atomic<bool> runsAreTracked = false;

namespace {

/// Has an effect once, so that it does not undo a trackRuns of a static initializer that runs earlier.
bool trackForEnvironment() noexcept {
  static const bool tracks = extend::printsSteps() && (runsAreTracked = true);
  return tracks;
}

[[maybe_unused]] const bool tracksForEnvironment = trackForEnvironment();

}  // namespace

void enterUnnamed(Run& run, const char* what, const std::source_location& location) {
  EnterName{makeRef<const ProgramName>(what, location, false)}(run);
}

void enterUnnamedBranch(Run& run, std::size_t number, const std::source_location& location) {
  const std::string what = number == 0 ? "branch" : "branch " + std::to_string(number);
  enterUnnamed(run, what.c_str(), location);
}

}  // namespace detail

void dumpRuns(std::ostream& out) {
  const detail::ScopeTree tree;
  std::vector<std::pair<std::size_t, std::size_t>> ahead;  // scopes with their depths, the next one last
  for (std::size_t i = tree.size(); i-- > 0;)
    if (tree.outer(i) == detail::ScopeTree::none) ahead.emplace_back(i, 0);
  while (!ahead.empty()) {
    const auto [i, depth] = ahead.back();
    ahead.pop_back();
    detail::writeScope(out, tree, i, depth);
    const auto& inner = tree.inner(i);
    for (auto next = inner.rbegin(); next != inner.rend(); ++next) ahead.emplace_back(*next, depth + 1);
  }
}

bool trackRuns(bool on) noexcept {
  detail::trackForEnvironment();
  return detail::runsAreTracked.exchange(on);
}

}  // namespace tapestry
