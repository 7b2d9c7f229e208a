#include "tapestry/distributed/wire.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/error_text.hpp"

using namespace tapestry;
using test::errorOf;

namespace wire_test {

enum class Color : std::uint8_t { red, green };

struct Named {
  std::string name;
  std::vector<double> values;
  friend bool operator==(const Named&, const Named&) = default;
};

template <class T>
bool comesBack(const T& value) {
  return fromBytes<T>(toBytes(value)) == value;
}

}  // namespace wire_test

template <>
struct tapestry::Wire<wire_test::Named> {
  static void write(ByteWriter& to, const wire_test::Named& value) {
    to(value.name);
    to(value.values);
  }
  static wire_test::Named read(ByteReader& from) {
    auto name = from.read<std::string>();
    return {std::move(name), from.read<std::vector<double>>()};
  }
};

using namespace wire_test;

TEST_CASE("values come back from their bytes") {
  CHECK(comesBack(42));
  CHECK(comesBack(-1.5));
  CHECK(comesBack(true));
  CHECK(comesBack(false));
  CHECK(comesBack(std::numeric_limits<std::uint64_t>::max()));
  CHECK(comesBack(Color::green));
  CHECK(comesBack(std::string("woven\0thread", 12)));
  CHECK(comesBack(std::string()));
  CHECK(comesBack(std::vector<float>{1, 2, 3}));
  CHECK(comesBack(std::vector<bool>{true, false, true}));
  CHECK(comesBack(std::vector<std::string>{"a", "", "long enough for the heap, surely"}));
  CHECK(comesBack(std::vector<std::vector<int>>{{1}, {}, {2, 3}}));
  CHECK(comesBack(std::pair<int, std::string>{7, "seven"}));
  CHECK(comesBack(std::tuple<char, double, std::vector<int>>{'x', 2.5, {1}}));
  CHECK(comesBack(std::tuple<>()));
  CHECK(comesBack(std::vector<std::tuple<>>(3)));
  CHECK(comesBack(std::optional<int>()));
  CHECK(comesBack(std::optional<std::string>("some")));
  CHECK(comesBack(Named{"w", {1, 2}}));
  CHECK(comesBack(std::vector<Named>{{"a", {}}, {"b", {3}}}));
}

TEST_CASE("the bits of numbers are kept, also of NaN") {
  const auto nan = fromBytes<double>(toBytes(std::numeric_limits<double>::quiet_NaN()));
  CHECK(nan != nan);
  CHECK(std::signbit(fromBytes<float>(toBytes(-0.0F))));
}

TEST_CASE("tensors come back with their shapes") {
  const Tensor<float> matrix(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  const auto back = fromBytes<Tensor<float>>(toBytes(matrix));
  CHECK(back.shape() == matrix.shape());
  CHECK(std::vector<float>(back.values().begin(), back.values().end()) ==
        std::vector<float>{1, 2, 3, 4, 5, 6});
  const Tensor<double> none(Shape{0, 3}, {});
  CHECK(fromBytes<Tensor<double>>(toBytes(none)).shape() == none.shape());
}

TEST_CASE("bytes that are cut short, or too long, are refused") {
  auto bytes = toBytes(std::pair<int, std::string>{7, "seven"});
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::span<const std::byte> cut(bytes.data(), length);
    CHECK(errorOf([&] { return fromBytes<std::pair<int, std::string>>(cut); }).find("are missing") !=
          std::string::npos);
  }
  bytes.push_back({});
  CHECK(errorOf([&] { return fromBytes<std::pair<int, std::string>>(bytes); }) ==
        "tapestry::fromBytes: bytes are left over, got 1, expected 0");
}

TEST_CASE("a length without its elements is refused before memory is taken") {
  const auto bytes = toBytes(std::numeric_limits<std::size_t>::max() / 2);
  CHECK(errorOf([&] { return fromBytes<std::string>(bytes); }).find("elements are missing") !=
        std::string::npos);
  CHECK(errorOf([&] { return fromBytes<std::vector<double>>(bytes); }).find("elements are missing") !=
        std::string::npos);
  CHECK(errorOf([&] { return fromBytes<std::vector<std::string>>(bytes); }).find("elements are missing") !=
        std::string::npos);
  const auto extents = toBytes(std::vector<std::size_t>{1'000'000, 1'000'000});
  CHECK(errorOf([&] { return fromBytes<Tensor<float>>(extents); }).find("elements of a tensor are missing") !=
        std::string::npos);
}

TEST_CASE("a bool is 0 or 1") {
  CHECK(errorOf([] { return fromBytes<bool>(toBytes(std::uint8_t{2})); }) ==
        "tapestry::fromBytes: a bool is wrong, got 2, expected 0 or 1");
  CHECK(errorOf([] { return fromBytes<std::optional<int>>(toBytes(std::uint8_t{9})); }) ==
        "tapestry::fromBytes: a bool is wrong, got 9, expected 0 or 1");
}
