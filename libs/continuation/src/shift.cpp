#include "tapestry/continuation/shift.hpp"

namespace tapestry::detail {

namespace {

/// Posts the run to its own executor.
class Reschedule final : public Parker {
 public:
  bool park(Run& run) noexcept override {
    if (run.executor().post(run)) return false;
    run.stayHere();
    run.stop(Errors(std::make_exception_ptr(ExecutorStopped())));
    return true;
  }
};

Reschedule reschedule;

}  // namespace

void Shift::step(Run& run, Keeper keeper) const {
  run.keep(std::move(keeper));
  if (run.stopIfRequested()) return;
  constexpr auto goOn = [](Run& r) {
    if (!r.stopIfRequested()) r.put(Unit{});
  };
  run.push<goOn>();
  run.moveTo(*executor_);
  run.park(reschedule, {"its executor", location_});
}

}  // namespace tapestry::detail
