// Includes withClock, withRandom and withObserver, which by local of Do also take a Do.
#pragma once

#include "tapestry/continuation/clock.hpp"
#include "tapestry/continuation/random.hpp"
#include "tapestry/continuation/run_observer.hpp"
#include "tapestry/raii/local.hpp"
