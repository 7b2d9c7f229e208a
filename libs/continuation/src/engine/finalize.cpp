#include "tapestry/continuation/detail/engine/finalize.hpp"

namespace tapestry::detail {

namespace {

struct MaskedEnvironment final : Node, Environment {
  explicit MaskedEnvironment(const Environment* parent) noexcept : Environment(parent, StopState::never()) {}
};

/// The environment of all masked runs without workers and slots.
constinit const Environment maskedRoot(nullptr, neverStopped.states[0], nullptr);

}  // namespace

void enterNewMask(Run& run) {
  const Environment& outer = *run.environment();
  if (outer.workers() || outer.hasSlots())
    run.enter(makeRef<const MaskedEnvironment>(&outer));
  else
    run.enter(maskedRoot, {});
}

void finalizeStop(Run& run, Ref<const ProgramNode> finalizer) {
  constexpr auto goOn = [](HeldValue<Errors>& held, Run& r) {
    Errors errors = std::move(held.value);
    errors.append(r.stopping() ? r.takeStop() : r.take<Errors>());
    r.stop(std::move(errors));
  };
  run.push<goOn, goOn>(makeRef<HeldValue<Errors>>(run.takeStop()));
  enterMask(run);
  run.next(std::move(finalizer));
}

}  // namespace tapestry::detail
