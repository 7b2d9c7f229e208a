// Includes direct<Do> for blocks that run on fibers, and await programs with `await(x)` or `!x`; link
// tapestry::direct too.
#pragma once

#include "tapestry/continuation/direct/direct.hpp"
#include "tapestry/raii/direct_style.hpp"
