// Includes oneDNN, which no other file includes.
#pragma once

#include <dnnl.hpp>
