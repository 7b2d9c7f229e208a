#include "movielens_bpr/ranking.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/input_error.hpp"

namespace tapestry::examples {
namespace {

using Items = std::vector<std::uint32_t>;

std::vector<Items> itemsByUser(const Interactions& interactions) {
  std::vector<Items> items(interactions.users);
  for (const auto& [user, item] : interactions.all) items[user].push_back(item);
  return items;
}

/// The mean over the items of a user's test; none where there is nothing to rank, or to rank it among.
std::optional<Ranking> rankingOf(std::span<const float> scores, const Items& known, const Items& test) {
  std::vector<char> isOther(scores.size(), true);
  for (const auto item : known) isOther[item] = false;
  std::vector<float> own;
  for (const auto item : test)
    if (std::exchange(isOther[item], false)) own.push_back(scores[item]);
  if (own.empty()) return std::nullopt;
  std::ranges::sort(own, std::greater<>());
  // how many others come between an item of the test and the item of the test before it
  std::vector<std::size_t> between(own.size() + 1);
  for (std::size_t item = 0; item < scores.size(); ++item)
    if (isOther[item])
      ++between[static_cast<std::size_t>(std::ranges::lower_bound(own, scores[item], std::greater<>()) -
                                         own.begin())];
  const auto others = static_cast<double>(std::reduce(between.begin(), between.end()));
  if (others == 0) return std::nullopt;
  Ranking mean{0, 0};
  std::size_t before = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    before += between[i];
    mean.auc += (1 - static_cast<double>(before) / others) / static_cast<double>(own.size());
    mean.mrr += 1 / static_cast<double>((before + i + 1) * own.size());
  }
  return mean;
}

}  // namespace

Ranking Ranking::of(const Tensor<float>& scores, const Interactions& training, const Interactions& test) {
  const auto known = itemsByUser(training);
  const auto tested = itemsByUser(test);
  Ranking total{0, 0};
  double users = 0;
  for (std::size_t user = 0; user < tested.size(); ++user) {
    const auto own =
        rankingOf(scores.values().subspan(user * training.items, training.items), known[user], tested[user]);
    if (!own) continue;
    total.auc += own->auc;
    total.mrr += own->mrr;
    ++users;
  }
  if (users == 0)
    throw InputError("the test",
                     "nothing can be ranked, got " + std::to_string(test.all.size()) +
                         " interactions, expected a user with an item and others that it is ranked among");
  return {total.auc / users, total.mrr / users};
}

}  // namespace tapestry::examples
