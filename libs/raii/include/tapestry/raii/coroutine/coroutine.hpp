// Includes direct<Do> for blocks that are coroutines, and await programs with `co_await`.
#pragma once

#include "tapestry/continuation/coroutine/coroutine.hpp"
#include "tapestry/raii/direct_style.hpp"
