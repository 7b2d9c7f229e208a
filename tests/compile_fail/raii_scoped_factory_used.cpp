// expect: tapestry::scoped: expected a factory that takes no argument, f\(\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

const int value = tapestry::scoped([](int x) {
                    return x;
                  }).map([](tapestry::Handle<int> handle) {
                      return *handle;
                    }).blockingAwait();
