#include "tapestry/continuation/detail/engine/finalize.hpp"

namespace tapestry::detail {

namespace {

/// A stop that waits for its finalizer.
struct HeldStop final : Node {
  explicit HeldStop(Errors held) noexcept : errors(std::move(held)) {}
  mutable Errors errors;
};

struct MaskedEnvironment final : Node, Environment {
  explicit MaskedEnvironment(const Environment* parent) noexcept : Environment(parent, StopState::never()) {}
};

}  // namespace

void enterNewMask(Run& run) { run.enter(makeRef<const MaskedEnvironment>(run.environment())); }

void finalizeStop(Run& run, Ref<const ProgramNode> finalizer) {
  constexpr auto goOn = [](const void* self, Run& r) {
    Errors errors = std::move(static_cast<const HeldStop*>(self)->errors);
    errors.append(r.stopping() ? r.takeStop() : r.take<Errors>());
    r.stop(std::move(errors));
  };
  auto* held = new HeldStop(run.takeStop());
  run.push({held, goOn, goOn, held});
  enterMask(run);
  run.next(finalizer.detach(), true);
}

}  // namespace tapestry::detail
