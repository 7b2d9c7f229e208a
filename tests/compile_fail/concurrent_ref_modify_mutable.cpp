// expect: modify\(.*expected f\(const A&\), const, that returns an A or a std::pair<A, B>
// expect-lines: 10
#include "tapestry/concurrent/ref.hpp"

auto changed(const tapestry::Ref<int>& ref) {
  return ref.modify([n = 0](int x) mutable { return x + n++; });
}
