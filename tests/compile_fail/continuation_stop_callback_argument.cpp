// expect: tapestry::StopCallback: expected a function that takes no argument, f\(\)
// expect-lines: 10
#include "tapestry/continuation/stop_callback.hpp"

const tapestry::StopCallback callback(tapestry::StopToken(), [](int) {});
