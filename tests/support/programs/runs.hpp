// Includes the helpers of most tests of runs: Delivery, Manual, Counted, errorOf and outcomeText.
#pragma once

#include "support/error_text.hpp"
#include "support/programs/counted.hpp"
#include "support/programs/delivery.hpp"
#include "support/programs/manual.hpp"
