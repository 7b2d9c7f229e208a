// Includes the library for JSON, which no other file of this library includes.
#pragma once

#include <nlohmann/json.hpp>
