// Includes the raii library: errors, scoped release, and Do, which has both.
#pragma once

#include "tapestry/continuation.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/do_tuple2.hpp"
#include "tapestry/raii/error_as.hpp"
#include "tapestry/raii/handle.hpp"
#include "tapestry/raii/resource.hpp"
#include "tapestry/raii/resource_t.hpp"
#include "tapestry/raii/scoped.hpp"
#include "tapestry/raii/try.hpp"
#include "tapestry/raii/try_t.hpp"
