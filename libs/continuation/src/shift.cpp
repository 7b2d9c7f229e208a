#include "tapestry/continuation/shift.hpp"

namespace tapestry::detail {

namespace {

/// The parker of a run that has arrived on its new executor.
class Arrive final : public Parker {
 public:
  bool park(Run& run) noexcept override {
    if (!run.stopIfRequested()) run.put(Unit{});
    return true;
  }
};
Arrive arrive;

/// Posts the run to its own executor.
class Reschedule final : public Parker {
 public:
  bool park(Run& run) noexcept override {
    run.comeTo(arrive);
    if (run.executor().post(run)) return false;
    run.stopRefused();
    return true;
  }
};
Reschedule reschedule;

}  // namespace

void Shift::step(Run& run, Keeper keeper) const {
  run.keep(std::move(keeper));
  if (run.stopIfRequested()) return;
  run.moveTo(*executor_);
  run.park(reschedule, {"its executor", location_});
}

}  // namespace tapestry::detail
