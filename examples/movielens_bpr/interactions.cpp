#include "movielens_bpr/interactions.hpp"

#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "support/input_file.hpp"
#include "support/random.hpp"
#include "support/text.hpp"

namespace tapestry::examples {
namespace {

constexpr std::size_t users = 943;
constexpr std::size_t items = 1682;
constexpr std::size_t count = 100'000;
constexpr std::size_t mostPairs = 100'000'000;  // whose scores take 400 MB
constexpr std::size_t tastes = 8;
constexpr double tasteDeviation = 1;
constexpr double popularityFactor =
    1.7;  // on the logarithm, since tastes level what popularity alone would do

/// How many ratings the user or the item at a place of the order has; between places, interpolated.
struct Quantile {
  double place;
  double ratings;
};
using Quantiles = std::array<Quantile, 6>;

// those of MovieLens-100K
constexpr Quantiles ofUsers{{{0, 737}, {0.1, 244}, {0.25, 148}, {0.5, 65}, {0.75, 33}, {1, 20}}};
constexpr Quantiles ofItems{{{0, 583}, {0.1, 169}, {0.25, 80}, {0.5, 27}, {0.75, 6}, {1, 1}}};

std::vector<double> logRatings(const Quantiles& quantiles, std::size_t size) {
  std::vector<double> logs(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double place = static_cast<double>(i) / static_cast<double>(size - 1);
    const auto right =
        std::find_if(quantiles.begin() + 1, quantiles.end() - 1, [&](auto q) { return place <= q.place; });
    const auto left = right - 1;
    const double weight = (place - left->place) / (right->place - left->place);
    logs[i] = std::lerp(std::log(left->ratings), std::log(right->ratings), weight);
  }
  return logs;
}

/// How many each user has; of `count` in all.
std::vector<std::size_t> countsOfUsers() {
  const auto logs = logRatings(ofUsers, users);
  double total = 0;
  for (const double log : logs) total += std::exp(log);
  std::vector<std::size_t> counts;
  double sum = 0;
  std::size_t counted = 0;
  for (const double log : logs) {
    // rounded so that the sum is `count`
    sum += std::exp(log) / total * double{count};
    counts.push_back(static_cast<std::size_t>(std::lround(sum)) - counted);
    counted += counts.back();
  }
  return counts;
}

std::uint32_t idFrom(const std::filesystem::path& file, double number) {
  if (number >= 1 && number <= 10'000'000 && number == std::floor(number))
    return static_cast<std::uint32_t>(number) - 1;
  throw InputError(file, "the number of a user or an item is wrong, got " + fixed(number, 2) +
                             ", expected a whole number from 1 to 10000000");
}

}  // namespace

Interactions readInteractions(const std::filesystem::path& file) {
  const Csv csv = readInput([&file] { return readCsv(file, {.separator = '\t'}); });
  if (csv.rows() < 2 || csv.columns < 2)
    throw InputError(file, "this is no u.data, got " + std::to_string(csv.rows()) + " rows of " +
                               std::to_string(csv.columns) + ", expected rows of user, item, rating, time");
  Interactions read{0, 0, {}};
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    const Interaction interaction{idFrom(file, csv.row(i)[0]), idFrom(file, csv.row(i)[1])};
    read.users = std::max<std::size_t>(read.users, interaction.user + 1);
    read.items = std::max<std::size_t>(read.items, interaction.item + 1);
    read.all.push_back(interaction);
  }
  if (read.users * read.items > mostPairs)
    throw InputError(file, "the numbers of users and items are too large, got " + std::to_string(read.users) +
                               " and " + std::to_string(read.items) + ", expected at most " +
                               std::to_string(mostPairs) + " pairs");
  return read;
}

Interactions drawInteractions(std::uint64_t seed) {
  Generator generator(seed);
  const auto tasteOf = normal<double>({users, tastes}, 0, tasteDeviation, generator);
  const auto flavourOf = normal<double>({items, tastes}, 0, 1, generator);
  const auto popularity = logRatings(ofItems, items);
  const auto counts = countsOfUsers();
  Interactions drawn{users, items, {}};
  std::vector<std::pair<double, std::uint32_t>> order(items);
  for (std::uint32_t user = 0; user < users; ++user) {
    // the user's items are the first of all items, sorted by draws of Gumbel's distribution around merit
    const auto noise = uniform<double>({items}, 1e-12, 1, generator);
    const double* const taste = tasteOf.data() + user * tastes;
    for (std::uint32_t item = 0; item < items; ++item) {
      const double merit = std::inner_product(taste, taste + tastes, flavourOf.data() + item * tastes,
                                              popularityFactor * popularity[item]);
      order[item] = {merit - std::log(-std::log(noise.data()[item])), item};
    }
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(counts[user]);
    std::ranges::partial_sort(order, end, std::greater<>());
    for (auto liked = order.begin(); liked != end; ++liked) drawn.all.push_back({user, liked->second});
  }
  return drawn;
}

std::pair<Interactions, Interactions> split(Interactions interactions, double share, std::uint64_t seed) {
  Random(seed).shuffle(std::span(interactions.all));
  const auto cut = interactions.all.begin() +
                   static_cast<std::ptrdiff_t>(share * static_cast<double>(interactions.all.size()));
  Interactions rest{interactions.users, interactions.items, {cut, interactions.all.end()}};
  interactions.all.erase(cut, interactions.all.end());
  return {std::move(interactions), std::move(rest)};
}

}  // namespace tapestry::examples
