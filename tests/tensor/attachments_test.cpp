#include <tapestry/tensor/attachments.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

using tapestry::Attachments;

TEST_CASE("an attachment is made once for its key, and is another for another key") {
  const Attachments attachments;
  const int owner = 0, other = 0;
  int made = 0;
  const auto get = [&](const void* of, std::uint64_t kind, std::uint64_t number) {
    return *attachments.get<int>({of, kind, number}, [&] { return std::make_shared<int>(++made); });
  };
  CHECK(get(&owner, 1, 5) == 1);
  CHECK(get(&owner, 1, 5) == 1);
  CHECK(get(&owner, 1, 6) == 2);
  CHECK(get(&owner, 2, 5) == 3);
  CHECK(get(&other, 1, 5) == 4);
  CHECK(get(&owner, 1, 5) == 1);
}

TEST_CASE("attachments end with the object that has them") {
  std::weak_ptr<int> kept;
  {
    const Attachments attachments;
    kept = attachments.get<int>({}, [] { return std::make_shared<int>(3); });
    CHECK(*kept.lock() == 3);
  }
  CHECK(kept.expired());
}

TEST_CASE("an attachment that cannot be made is tried again") {
  const Attachments attachments;
  CHECK_THROWS_AS(
      attachments.get<int>({}, []() -> std::shared_ptr<int> { throw std::runtime_error("no memory"); }),
      std::runtime_error);
  CHECK(*attachments.get<int>({}, [] { return std::make_shared<int>(4); }) == 4);
}

TEST_CASE("threads that need one attachment at once get the same") {
  const Attachments attachments;
  std::atomic<int> made{0};
  std::vector<std::shared_ptr<int>> got(4);
  {
    std::vector<std::jthread> threads;
    for (auto& each : got)
      threads.emplace_back([&] {
        each = attachments.get<int>({}, [&] {
          ++made;
          return std::make_shared<int>(5);
        });
      });
  }
  CHECK(made == 1);
  for (const auto& each : got) CHECK(each == got[0]);
}
