// expect: void save\(.*// expected a path, and Weights, or a model
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/storage.hpp"

void save(const std::string& text) { tapestry::save("path", text); }
