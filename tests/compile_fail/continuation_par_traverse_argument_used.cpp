// expect: parTraverse\(.*expected a copyable range, a limit, a const f\(element\) that makes a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"

#include <string>

const auto value =
    tapestry::tuple2(
        tapestry::parTraverse(std::vector<int>(), 2, [](const std::string&) { return tapestry::now(1); }),
        tapestry::now(2))
        .map([](std::tuple<std::vector<int>, int> both) { return std::get<1>(both); })
        .blockingAwait();
