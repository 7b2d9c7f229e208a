// Includes the core of the continuation library: programs, their combinators, and how to run them. Timers,
// races, traversals and what else needs more than the standard library's smallest headers have headers of
// their own.
#pragma once

#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/environment.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/now.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/suspend.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"
#include "tapestry/continuation/tuple2.hpp"
#include "tapestry/continuation/unit_continuation.hpp"
