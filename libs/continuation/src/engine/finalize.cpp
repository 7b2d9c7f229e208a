#include "tapestry/continuation/detail/engine/finalize.hpp"

namespace tapestry::detail {

namespace {

struct MaskedEnvironment final : Node, Environment {
  explicit MaskedEnvironment(const Environment* parent) noexcept : Environment(parent, StopState::never()) {}
};

}  // namespace

void enterNewMask(Run& run) { run.enter(makeRef<const MaskedEnvironment>(run.environment())); }

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
