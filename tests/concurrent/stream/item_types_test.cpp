#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tapestry/concurrent/stream/stream.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using testing::Scheduler;

namespace {

using Box = std::unique_ptr<int>;
using Numbers = std::vector<int>;

/// 1, 2 and 3, which cannot be copied.
Stream<Box> boxes() {
  return Stream<int>::of({1, 2, 3}).map([](int n) { return std::make_unique<int>(n); });
}

int valueOf(const Box& box) { return *box; }

/// An item that is made by a move or a copy, and is never assigned.
struct Fixed {
  const int id;
};
/// As Fixed, without copies.
struct FixedBox {
  const int id;
  Box box;
};

int valueOf(const Fixed& item) { return item.id; }
int valueOf(const FixedBox& item) { return *item.box; }

Stream<Fixed> fixed() {
  return Stream<int>::of({1, 2, 3}).map([](int n) { return Fixed{n}; });
}
Stream<FixedBox> fixedBoxes() {
  return Stream<int>::of({1, 2, 3}).map([](int n) { return FixedBox{0, std::make_unique<int>(n)}; });
}

template <class A>
Numbers numbersOf(const Stream<A>& stream) {
  const auto outcome = Scheduler().run(stream.toVector());
  Numbers numbers;
  for (const A& item : outcome.get()) numbers.push_back(valueOf(item));
  return numbers;
}

template <class A>
Numbers sortedNumbersOf(const Stream<A>& stream) {
  Numbers numbers = numbersOf(stream);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// Stages that keep the kind of items, each of which gives all three.
template <class A>
void checkStages(const Stream<A>& three) {
  const Numbers all{1, 2, 3};
  const Numbers twice{1, 1, 2, 2, 3, 3};
  CHECK(numbersOf(three.map([](A item) { return item; })) == all);
  CHECK(numbersOf(three.take(2)) == Numbers{1, 2});
  CHECK(numbersOf(three.take(0)).empty());
  CHECK(numbersOf(three.takeWhile([](const A& item) { return valueOf(item) != 2; })) == Numbers{1});
  CHECK(numbersOf(three.drop(2)) == Numbers{3});
  CHECK(numbersOf(three.dropWhile([](const A& item) { return valueOf(item) != 3; })) == Numbers{3});
  CHECK(numbersOf(three.filter([](const A& item) { return valueOf(item) != 2; })) == Numbers{1, 3});
  CHECK(numbersOf(three.concat(Stream<A>::empty())) == all);
  CHECK(numbersOf(three.buffer(2)) == all);
  CHECK(sortedNumbersOf(three.merge(three)) == twice);
  CHECK(numbersOf(three.interleave(three)) == twice);
  CHECK(numbersOf(three.throttle(1ms)) == all);
  CHECK(numbersOf(three.debounce(1ms)) == Numbers{3});
  CHECK(numbersOf(three.timeout(1ms)) == all);
  CHECK(numbersOf(three.retry()) == all);
  CHECK(numbersOf(three.flatMap([three](const A&) { return three.take(1); })) == Numbers{1, 1, 1});
}

/// Stages that make items of another kind, and consumers.
template <class A>
void checkOtherKinds(const Stream<A>& three) {
  const Numbers all{1, 2, 3};
  const auto first = [](const std::vector<A>& group) { return valueOf(group.front()); };
  const auto sumOf = [](int sum, A item) { return sum + valueOf(item); };
  const auto program = [](A item) { return Do<int>::now(valueOf(item)); };
  const auto result = [](const auto& made) { return Scheduler().run(made).get(); };
  CHECK(result(three.chunk(2).map(first).toVector()) == Numbers{1, 3});
  CHECK(result(three.chunk(2, 1ms).map(first).toVector()) == Numbers{1, 3});
  CHECK(result(three.scan(0, sumOf).toVector()) == Numbers{1, 3, 6});
  CHECK(result(three.mapDo(program).toVector()) == all);
  CHECK(result(three.parMap(2, program).toVector()) == all);
  CHECK(result(three.parMapUnordered(1, program).toVector()) == all);
  CHECK(result(three.zip(three)
                   .map([](const std::pair<A, A>& both) { return valueOf(both.second); })
                   .toVector()) == all);
  CHECK(result(three.fold(0, sumOf)) == 6);
  Numbers seen;
  CHECK(Scheduler().run(three.forEach([&](const A& item) { seen.push_back(valueOf(item)); })).hasValue());
  CHECK(Scheduler()
            .run(three.forEach([&](A item) {
              return Do<void>::delay([&seen, value = valueOf(item)] { seen.push_back(value); });
            }))
            .hasValue());
  CHECK(seen == Numbers{1, 2, 3, 1, 2, 3});
  const auto channel = Channel<A>::unbounded();
  CHECK(Scheduler().run(three.into(channel)).hasValue());
  CHECK(numbersOf(Stream<A>::from(channel)) == all);
}

/// Sources of the items that make(n) makes.
template <class A, class F>
void checkSources(F make) {
  const Numbers twos{2, 2};
  const auto program = Do<int>::now(2).map(make);
  CHECK(numbersOf(Stream<A>::from(program)) == Numbers{2});
  CHECK(numbersOf(Stream<A>::repeat(program).take(2)) == twos);
  const auto step = [make](int n) -> std::optional<std::pair<A, int>> {
    if (n == 2) return std::nullopt;
    return std::optional<std::pair<A, int>>(std::in_place, make(2), n + 1);
  };
  CHECK(numbersOf(Stream<A>::unfold(0, step)) == twos);
  using Step = std::optional<std::pair<A, int>>;
  CHECK(numbersOf(Stream<A>::unfoldDo(
            0, [step](int n) { return Do<Step>::delay([step, n] { return step(n); }); })) == twos);
}

}  // namespace

TEST_CASE("items that cannot be copied go through every stage") {
  checkStages(boxes());
  checkOtherKinds(boxes());
  checkSources<Box>([](int n) { return std::make_unique<int>(n); });
}

TEST_CASE("items that cannot be assigned go through every stage") {
  checkStages(fixed());
  checkOtherKinds(fixed());
  checkSources<Fixed>([](int n) { return Fixed{n}; });
  CHECK(numbersOf(Stream<Fixed>::of({Fixed{1}, Fixed{2}})) == Numbers{1, 2});
  const std::map<int, int> squares{{2, 4}, {3, 9}};
  using Entry = std::pair<const int, int>;
  const auto big = Stream<Entry>::from(squares).filter([](const Entry& entry) { return entry.second > 4; });
  CHECK(big.toVector().blockingAwait() == std::vector<Entry>{{3, 9}});
}

TEST_CASE("items that can be neither copied nor assigned go through every stage") {
  checkStages(fixedBoxes());
  checkOtherKinds(fixedBoxes());
}

TEST_CASE("a copy for which a full channel has no capacity is not sent, and the item is unchanged") {
  const Channel<Fixed> channel(1);
  const Fixed second{2};
  CHECK(channel.trySend(Fixed{1}));
  CHECK_FALSE(channel.trySend(second));
  CHECK(second.id == 2);
  CHECK(channel.tryReceive()->id == 1);
  CHECK_FALSE(channel.tryReceive().has_value());
}
