// Includes the concurrent library: the points at which runs meet.
#pragma once

#include "tapestry/concurrent/event.hpp"
