#include <string>
#include <utility>
#include <vector>

#include "laws/laws.hpp"
#include "tapestry/concurrent/stream/stream.hpp"

using namespace tapestry;

namespace tapestry::test {

struct StreamMonad : TypeMonad<Stream> {
  template <class A>
  static Stream<A> now(A value) {
    return Stream<A>::of({std::move(value)});
  }
};

template <>
struct Subject<StreamMonad> {
  static std::vector<Stream<int>> samples() {
    return {Stream<int>::empty(),
            Stream<int>::of({1, 2, 3}),
            Stream<int>::of({1, 2}).mapDo(
                [](int n) { return Do<int>::delay([n] { return logged("mapDo", n); }); }),
            Stream<int>::raiseError(lawError("raised")),
            Stream<int>::of({4}).concat(Stream<int>::raiseError(lawError("late"))),
            held("a"),
            held("b").flatMap([](int x) { return held("c").map([x](int y) { return x * y; }); })};
  }
  /// The items, each where it comes among the effects, and the end.
  template <class A>
  static std::string ended(const Stream<A>& stream) {
    const auto note = [](A item) { logged("item " + show(item), 0); };
    const Try<void> end = stream.forEach(note).attempt().blockingAwait();
    return end.hasValue() ? "ended" : errorText(end.error());
  }

 private:
  static Stream<int> held(const std::string& name) {
    const auto opened = resource(Do<int>::delay([name] { return logged("+" + name, 5); }),
                                 [name](int) { logged("-" + name, 0); });
    return Stream<int>::from(opened).flatMap([](int n) { return Stream<int>::of({n, n + 1}); });
  }
};

}  // namespace tapestry::test

using namespace tapestry::test;

TEST_CASE("the functor laws hold for streams") { functorLaws<StreamMonad>(); }

TEST_CASE("the monad laws hold for streams") { monadLaws<StreamMonad>(); }

TEST_CASE("streams with concat and the empty stream are a monoid, over which flatMap distributes") {
  const auto see = [](const Stream<int>& stream) { return observe<StreamMonad, int>(stream); };
  const auto samples = Subject<StreamMonad>::samples();
  for (const auto& a : samples) {
    CHECK(see(Stream<int>::empty().concat(a)) == see(a));
    CHECK(see(a.concat(Stream<int>::empty())) == see(a));
    for (const auto& b : samples) {
      for (const auto& c : samples) CHECK(see(a.concat(b).concat(c)) == see(a.concat(b.concat(c))));
      for (const auto& f : arrows<StreamMonad>())
        CHECK(see(a.concat(b).flatMap(f)) == see(a.flatMap(f).concat(b.flatMap(f))));
    }
  }
}
