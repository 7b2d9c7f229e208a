#include <tapestry/raii/tryt/try_t.hpp>
#include <tapestry/version.hpp>

int main() { return TAPESTRY_VERSION > 0 ? 0 : 1; }
