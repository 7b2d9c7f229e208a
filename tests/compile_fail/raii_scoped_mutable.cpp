// expect: scoped\(.*expected a Do<A>, or a factory A\(\), at most a const close\(A&\), void or a program
// expect-lines: 10
#include "tapestry/raii/scoped.hpp"

auto program() {
  return tapestry::scoped([n = 0]() mutable { return n++; }, [](int&) {});
}
