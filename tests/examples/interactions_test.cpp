#include "movielens_bpr/interactions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace tapestry::examples {
namespace {

/// How many each user, or each item, has, in descending order.
std::vector<int> countsOf(const Interactions& interactions, std::uint32_t Interaction::*member,
                          std::size_t size) {
  std::vector<int> counts(size);
  for (const auto& interaction : interactions.all) ++counts.at(interaction.*member);
  std::ranges::sort(counts, std::greater<>());
  return counts;
}

TEST_CASE("Drawn interactions are as many, as different and as unevenly spread as those of MovieLens-100K") {
  const auto drawn = drawInteractions(1);
  CHECK(drawn.users == 943);
  CHECK(drawn.items == 1682);
  CHECK(drawn.all.size() == 100'000);
  std::set<std::pair<std::uint32_t, std::uint32_t>> different;
  for (const auto& [user, item] : drawn.all) different.emplace(user, item);
  CHECK(different.size() == 100'000);
  const auto users = countsOf(drawn, &Interaction::user, drawn.users);
  CHECK(users.front() == doctest::Approx(737).epsilon(0.15));
  CHECK(users[471] == doctest::Approx(65).epsilon(0.15));
  CHECK(users.back() == doctest::Approx(20).epsilon(0.15));
  const auto items = countsOf(drawn, &Interaction::item, drawn.items);
  CHECK(items.front() > 300);  // there 583
  CHECK(items[168] == doctest::Approx(169).epsilon(0.15));
  CHECK(items[420] == doctest::Approx(80).epsilon(0.15));
  CHECK(items[841] == doctest::Approx(27).epsilon(0.15));
  CHECK(items[1261] == doctest::Approx(6).epsilon(0.3));
}

TEST_CASE("The drawn interactions depend on the seed alone") {
  const auto same = [](const Interactions& a, const Interactions& b) {
    return std::ranges::equal(a.all, b.all,
                              [](auto x, auto y) { return x.user == y.user && x.item == y.item; });
  };
  CHECK(same(drawInteractions(1), drawInteractions(1)));
  CHECK(!same(drawInteractions(1), drawInteractions(2)));
}

TEST_CASE("A split has all interactions, each on one side, and not in their order") {
  Interactions all{100, 1, {}};
  for (std::uint32_t user = 0; user < 100; ++user) all.all.push_back({user, 0});
  const auto [training, test] = split(all, 0.8, 1);
  CHECK(training.all.size() == 80);
  CHECK(test.all.size() == 20);
  CHECK(test.users == 100);
  std::set<std::uint32_t> users, tested;
  for (const auto& interaction : training.all) users.insert(interaction.user);
  for (const auto& interaction : test.all) tested.insert(interaction.user);
  CHECK(*tested.begin() < 80);
  users.merge(tested);
  CHECK(users.size() == 100);
}

}  // namespace
}  // namespace tapestry::examples
