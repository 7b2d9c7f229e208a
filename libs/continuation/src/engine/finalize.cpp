#include "tapestry/continuation/detail/engine/finalize.hpp"

namespace tapestry::detail {

namespace {

/// A stop that waits for its finalizer.
struct HeldStop final : Node {
  explicit HeldStop(Errors held) noexcept : errors(std::move(held)) {}
  Errors errors;
};

struct MaskedEnvironment final : Node, Environment {
  explicit MaskedEnvironment(const Environment* parent) noexcept : Environment(parent, StopState::never()) {}
};

}  // namespace

void enterNewMask(Run& run) { run.enter(makeRef<const MaskedEnvironment>(run.environment())); }

void finalizeStop(Run& run, Ref<const ProgramNode> finalizer) {
  constexpr auto goOn = [](HeldStop& held, Run& r) {
    Errors errors = std::move(held.errors);
    errors.append(r.stopping() ? r.takeStop() : r.take<Errors>());
    r.stop(std::move(errors));
  };
  run.push<goOn, goOn>(makeRef<HeldStop>(run.takeStop()));
  enterMask(run);
  run.next(std::move(finalizer));
}

}  // namespace tapestry::detail
