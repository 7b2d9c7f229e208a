// Defines the laws that every functor, monad, MonadError and applicative obeys, for any subject.
#pragma once

#include <doctest/doctest.h>

#include <tuple>
#include <utility>

#include "laws/subjects.hpp"

namespace tapestry::test {

inline int twice(int x) { return 2 * x; }
inline int minusThree(int x) { return x - 3; }

template <class M>
void functorLaws() {
  using T = Of<M, int>;
  for (const T& fa : Subject<M>::samples()) {
    const T same = M::map(fa, [](int x) { return x; });
    CHECK(observe<M, int>(same) == observe<M, int>(fa));
    const T inTwoSteps = M::map(M::map(fa, twice), minusThree);
    const T inOne = M::map(fa, [](int x) { return minusThree(twice(x)); });
    CHECK(observe<M, int>(inTwoSteps) == observe<M, int>(inOne));
  }
}

template <class M>
void monadLaws() {
  using T = Of<M, int>;
  for (const auto& f : arrows<M>()) {
    const T nowFirst = M::flatMap(T(M::now(3)), f);
    CHECK(observe<M, int>(nowFirst) == observe<M, int>(f(3)));
  }
  for (const T& fa : Subject<M>::samples()) {
    const T nowLast = M::flatMap(fa, [](int x) -> T { return M::now(x); });
    CHECK(observe<M, int>(nowLast) == observe<M, int>(fa));
    const T mapped = M::map(fa, twice);
    const T flatMapped = M::flatMap(fa, [](int x) -> T { return M::now(twice(x)); });
    CHECK(observe<M, int>(mapped) == observe<M, int>(flatMapped));
    for (const auto& f : arrows<M>())
      for (const auto& g : arrows<M>()) {
        const T left = M::flatMap(T(M::flatMap(fa, f)), g);
        const T right = M::flatMap(fa, [f, g](int x) -> T { return M::flatMap(f(x), g); });
        CHECK(observe<M, int>(left) == observe<M, int>(right));
      }
  }
}

template <class M>
void monadErrorLaws() {
  using T = Of<M, int>;
  const auto error = lawError("error");
  const T raised = M::template raiseError<int>(error);
  for (const auto& f : arrows<M>()) {
    CHECK(observe<M, int>(M::flatMap(raised, f)) == observe<M, int>(raised));
    const auto handler = [f](const std::exception_ptr& e) {
      return f(static_cast<int>(errorText(e).size()));
    };
    CHECK(observe<M, int>(M::handleError(raised, handler)) == observe<M, int>(handler(error)));
    CHECK(observe<M, int>(M::handleError(T(M::now(3)), handler)) == observe<M, int>(M::now(3)));
  }
  for (const T& fa : Subject<M>::samples()) {
    const auto rethrow = [](const std::exception_ptr& e) -> T { return M::template raiseError<int>(e); };
    CHECK(observe<M, int>(M::handleError(fa, rethrow)) == observe<M, int>(fa));
    for (const auto& f : arrows<M>()) {
      const auto handler = [f](const std::exception_ptr& e) {
        return f(static_cast<int>(errorText(e).size()));
      };
      const T twiceHandled = M::handleError(M::handleError(fa, handler), rethrow);
      CHECK(observe<M, int>(twiceHandled) == observe<M, int>(M::handleError(fa, handler)));
    }
  }
}

/// A product makes of an Of<M, A> and an Of<M, B> an Of<M, tuple<A, B>>; see(computation) is what is
/// compared.
template <class M, class Product, class See>
void applicativeLaws(const Product& product, const See& see) {
  using T = Of<M, int>;
  using Pair = std::tuple<int, int>;
  const auto samples = Subject<M>::samples();
  for (const T& fa : samples) {
    const T unitLeft = M::map(product(T(M::now(0)), fa), [](const Pair& both) { return std::get<1>(both); });
    CHECK(see(unitLeft) == see(fa));
    const T unitRight = M::map(product(fa, T(M::now(0))), [](const Pair& both) { return std::get<0>(both); });
    CHECK(see(unitRight) == see(fa));
    for (const T& fb : samples) {
      const Of<M, Pair> mappedAfter = M::map(product(fa, fb), [](const Pair& both) {
        return Pair(twice(std::get<0>(both)), minusThree(std::get<1>(both)));
      });
      const Of<M, Pair> mappedBefore = product(T(M::map(fa, twice)), T(M::map(fb, minusThree)));
      CHECK(see(mappedAfter) == see(mappedBefore));
      for (const T& fc : samples) {
        using Nested = std::tuple<int, Pair>;
        const Of<M, Nested> left =
            M::map(product(Of<M, Pair>(product(fa, fb)), fc), [](const std::tuple<Pair, int>& all) {
              const auto& [ab, c] = all;
              return Nested(std::get<0>(ab), Pair(std::get<1>(ab), c));
            });
        const Of<M, Nested> right = product(fa, Of<M, Pair>(product(fb, fc)));
        CHECK(see(left) == see(right));
      }
    }
  }
}

/// A product in sequence is what flatMap makes of the two.
template <class M, class Product>
void sequenceLaw(const Product& product) {
  using T = Of<M, int>;
  using Pair = std::tuple<int, int>;
  for (const T& fa : Subject<M>::samples())
    for (const T& fb : Subject<M>::samples()) {
      const Of<M, Pair> chained = M::flatMap(
          fa, [fb](int a) -> Of<M, Pair> { return M::map(fb, [a](int b) { return Pair(a, b); }); });
      CHECK(observe<M, Pair>(product(fa, fb)) == observe<M, Pair>(chained));
    }
}

}  // namespace tapestry::test
