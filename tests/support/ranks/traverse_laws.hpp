// Defines traverseLaws, what holds for parTraverseRanks on each rank's communicator, of whatever type.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/error_text.hpp"
#include "tapestry/distributed/par_traverse_ranks.hpp"
#include "tapestry/raii.hpp"

namespace tapestry::test {

inline std::vector<int> numbersUpTo(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// Values come in order, errors name the rank and the element, and the next traversal works.
template <Communicator C>
Do<void> traverseLaws(const C& c, std::size_t limit) {
  const auto text = [](int number) { return std::string(static_cast<std::size_t>(number), 'x'); };
  const auto ordered = parTraverseRanks(c, numbersUpTo(10), limit, [text](int number) {
                         return Do<std::string>::delay([=] { return text(number); });
                       }).map([text](const std::vector<std::string>& all) {
    REQUIRE(all.size() == 10);
    for (int i = 0; i < 10; ++i) CHECK(all[static_cast<std::size_t>(i)] == text(i));
  });
  const auto none = parTraverseRanks(c, std::vector<int>(), limit, [](int) {
                      return Do<int>::now(1);
                    }).map([](const std::vector<int>& all) { CHECK(all.empty()); });
  const auto failing = parTraverseRanks(c, numbersUpTo(10), limit,
                                        [](int number) {
                                          return Do<void>::delay([number] {
                                            if (number == 3) throw std::runtime_error("three is refused");
                                          });
                                        })
                           .attempt()
                           .map([size = c.size()](const Try<void>& end) {
                             REQUIRE(!end.hasValue());
                             const std::string what = errorText(end.error());
                             CHECK(what.find("three is refused") != std::string::npos);
                             if (size == 1) return;
                             CHECK(what.find("tapestry::parTraverseRanks: rank ") == 0);
                             CHECK(what.find("has failed at element 3: ") != std::string::npos);
                           });
  return ordered.flatMap([none] { return none; }).flatMap([failing] { return failing; }).flatMap([ordered] {
    return ordered;
  });
}

}  // namespace tapestry::test
