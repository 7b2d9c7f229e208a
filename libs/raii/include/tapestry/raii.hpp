// Includes the core of the raii library: errors, scoped release, and Do, which has both. Features that need a
// clock, and features that only some programs need, such as races, retries, traversals and direct style, have
// separate headers.
#pragma once

#include "tapestry/continuation.hpp"

// these first, so that compilers name no chain of headers in messages about them
#include "tapestry/raii/tryt/try.hpp"
//
#include "tapestry/raii/do_constructors.hpp"
//
#include "tapestry/raii/do.hpp"
//
#include "tapestry/raii/cancellable_resource.hpp"
#include "tapestry/raii/do_tuple2.hpp"
#include "tapestry/raii/ensure.hpp"
#include "tapestry/raii/error_as.hpp"
#include "tapestry/raii/handle.hpp"
#include "tapestry/raii/lift.hpp"
#include "tapestry/raii/mask.hpp"
#include "tapestry/raii/resourcet/resource.hpp"
#include "tapestry/raii/resourcet/resource_t.hpp"
#include "tapestry/raii/scoped.hpp"
#include "tapestry/raii/tail_rec_m.hpp"
#include "tapestry/raii/tryt/try_t.hpp"
#include "tapestry/raii/validate2.hpp"
