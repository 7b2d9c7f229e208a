// Includes everything that draws networks and trainings, or measures them.
#pragma once

#include "tapestry/deeplearning/pictures/chrome_pass_trace.hpp"
#include "tapestry/deeplearning/pictures/pass_record.hpp"
#include "tapestry/deeplearning/pictures/profile.hpp"
#include "tapestry/deeplearning/pictures/summary.hpp"
#include "tapestry/deeplearning/pictures/to_dot.hpp"
#include "tapestry/deeplearning/pictures/training_log.hpp"
