// Defines Interactions, which users have liked which items, as read from a file or drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

namespace tapestry::examples {

struct Interaction {
  std::uint32_t user;
  std::uint32_t item;
};

struct Interactions {
  std::size_t users;  ///< all of them are below this
  std::size_t items;
  std::vector<Interaction> all;
};

/// MovieLens-100K's u.data, plain or gzipped: user, item, rating and time in a line, separated by tabs, users
/// and items numbered from 1. A rating counts as an interaction, whatever it is. Throws InputError.
[[nodiscard]] Interactions readInteractions(const std::filesystem::path& file);

/// As many as MovieLens-100K has: 943 users, 1,682 items, 100,000 different interactions, as unevenly spread
/// over users and over items. Users like popular items and items near their taste, a vector of 8.
[[nodiscard]] Interactions drawInteractions(std::uint64_t seed);

/// Shuffled, and cut in two: the share for training, and the rest for the test.
[[nodiscard]] std::pair<Interactions, Interactions> split(Interactions interactions, double share,
                                                          std::uint64_t seed);

}  // namespace tapestry::examples
