// Includes the test kit: a virtual clock, a scheduler that shuffles tasks by a seed and finds deadlocks, and
// the monad without effects.
#pragma once

#include "tapestry/testing/identity.hpp"
#include "tapestry/testing/scheduler.hpp"
#include "tapestry/testing/virtual_clock.hpp"
