// Includes CLI11, which no other example includes.
#pragma once

#include <CLI/CLI.hpp>
