// Includes the helpers of most tests of runs: Delivery, Manual, Counted, errorOf and outcomeText.
#pragma once

#include "support/counted.hpp"
#include "support/delivery.hpp"
#include "support/error_text.hpp"
#include "support/manual.hpp"
