// Includes the core of the continuation library: programs, their combinators, and how to run them. Timers,
// races, traversals and other parts that need larger standard headers have separate headers.
#pragma once

// included first, so that compiler messages about these headers show no chain of includes
#include "tapestry/continuation/detail/program_operations.hpp"
//
#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/now.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/environment.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/suspend.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"

// ThreadPool costs no time to include; it is in tapestry::asio, which may not be installed.
#if __has_include("tapestry/continuation/asio/thread_pool.hpp")
#include "tapestry/continuation/asio/thread_pool.hpp"
#endif
