#include "tapestry/raii/error_as.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "support/callable.hpp"
#include "tapestry/continuation/monad/errors.hpp"

using namespace tapestry;

static_assert(TAPESTRY_CALLABLE(tapestry::errorAs<std::exception>, std::exception_ptr) &&
              !TAPESTRY_CALLABLE(tapestry::errorAs<std::exception>, std::exception));

namespace {

struct Left {
  virtual ~Left() = default;
  int left = 1;
};
struct Right {
  virtual ~Right() = default;
  int right = 2;
};
struct Both final : Left, Right {};
struct Hidden final : private Left {};

std::exception_ptr thrown(const auto& error) {
  try {
    throw error;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

TEST_CASE("an error is seen as its own type and as its bases, thrown or made") {
  for (const auto& error :
       {std::make_exception_ptr(std::out_of_range("boom")), thrown(std::out_of_range("boom"))}) {
    REQUIRE(errorAs<std::out_of_range>(error));
    CHECK(std::string(errorAs<std::out_of_range>(error)->what()) == "boom");
    REQUIRE(errorAs<std::logic_error>(error));
    CHECK(std::string(errorAs<std::exception>(error)->what()) == "boom");
    CHECK_FALSE(errorAs<std::runtime_error>(error));
    CHECK_FALSE(errorAs<int>(error));
  }
}

TEST_CASE("each of several bases is found at its own address") {
  const auto error = std::make_exception_ptr(Both());
  REQUIRE(errorAs<Left>(error));
  REQUIRE(errorAs<Right>(error));
  CHECK(errorAs<Left>(error)->left == 1);
  CHECK(errorAs<Right>(error)->right == 2);
  CHECK_FALSE(errorAs<Left>(std::make_exception_ptr(Hidden())));
}

TEST_CASE("an error of a final type is seen as that type alone") {
  const auto error = std::make_exception_ptr(Both());
  REQUIRE(errorAs<Both>(error));
  CHECK(errorAs<Both>(error)->right == 2);
  CHECK(errorAs<Both>(error) == static_cast<const void*>(errorAs<Left>(error)));
  CHECK_FALSE(errorAs<Hidden>(error));
  CHECK(errorAs<Both>(nullptr) == nullptr);
}

TEST_CASE("a value that is not of a class is an error too") {
  CHECK(*errorAs<int>(std::make_exception_ptr(3)) == 3);
  CHECK_FALSE(errorAs<long>(std::make_exception_ptr(3)));
  CHECK(errorAs<Cancelled>(std::make_exception_ptr(Cancelled())));
  static const int target = 5;
  const int* const pointer = &target;
  CHECK(errorAs<int>(nullptr) == nullptr);
  CHECK_FALSE(errorAs<int>(std::make_exception_ptr(pointer)));
  CHECK(**errorAs<const int*>(std::make_exception_ptr(pointer)) == 5);
  CHECK_FALSE(errorAs<const char*>(std::make_exception_ptr(pointer)));
}

TEST_CASE("an error without its cancellations is the error itself, what is left of several, or null") {
  const auto cancelled = std::make_exception_ptr(Cancelled());
  const auto no = std::make_exception_ptr(std::runtime_error("no"));
  const auto several = [](const auto&... errors) {
    return std::make_exception_ptr(MultipleException({errors...}));
  };
  using detail::withoutCancelled;
  CHECK(withoutCancelled(nullptr) == nullptr);
  CHECK(withoutCancelled(no) == no);
  CHECK(withoutCancelled(cancelled) == nullptr);
  CHECK(withoutCancelled(several(cancelled, several(cancelled))) == nullptr);
  CHECK(withoutCancelled(several(cancelled, no)) == no);
  const auto two = withoutCancelled(several(no, several(cancelled, no)));
  REQUIRE(errorAs<MultipleException>(two));
  CHECK(errorAs<MultipleException>(two)->errors() == std::vector{no, no});
}
