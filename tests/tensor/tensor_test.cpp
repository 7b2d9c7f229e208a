#include <tapestry/tensor/tensor.hpp>

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include <tapestry/tensor/buffer_pool.hpp>
#include <tapestry/tensor/shape_error.hpp>

using tapestry::BufferPool;
using tapestry::Shape;
using tapestry::ShapeError;
using tapestry::Tensor;

static_assert(sizeof(Tensor<float>) == sizeof(void*));
static_assert(std::is_nothrow_default_constructible_v<Tensor<float>>);
static_assert(std::is_nothrow_copy_constructible_v<Tensor<float>>);
static_assert(std::is_nothrow_move_constructible_v<Tensor<float>>);
static_assert(std::is_nothrow_copy_assignable_v<Tensor<double>>);
static_assert(std::is_nothrow_move_assignable_v<Tensor<double>>);
static_assert(std::is_nothrow_destructible_v<Tensor<double>>);
static_assert(!std::is_convertible_v<float, Tensor<float>>);
static_assert(!std::is_convertible_v<Shape, Tensor<float>>);

TEST_CASE_TEMPLATE("a new tensor is the scalar zero and owns no buffer", T, float, double) {
  const std::size_t before = BufferPool::liveBuffers();
  const Tensor<T> zero;
  CHECK(BufferPool::liveBuffers() == before);
  CHECK(zero.shape() == Shape{});
  CHECK(zero.size() == 1);
  CHECK(zero.item() == 0);
  CHECK(zero == Tensor<T>::scalar(0));
}

TEST_CASE_TEMPLATE("a tensor holds its values in row-major order", T, float, double) {
  const Tensor<T> x({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(x.rank() == 2);
  CHECK(x(0, 2) == 3);
  CHECK(x(1, 0) == 4);
  CHECK(x.data()[5] == 6);
  CHECK(std::vector<T>(x.values().begin(), x.values().end()) == std::vector<T>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("values lie on a cache line of their own") {
  const auto x = Tensor<float>::zeros({3});
  CHECK(reinterpret_cast<std::uintptr_t>(x.data()) % BufferPool::alignment == 0);
}

TEST_CASE("a tensor is filled with one value, or taken from a vector") {
  CHECK(Tensor<float>::full({2, 2}, 7) == Tensor<float>({2, 2}, {7, 7, 7, 7}));
  CHECK(Tensor<float>::zeros({3}) == Tensor<float>({3}, {0, 0, 0}));
  const std::vector<double> values{1, 2, 3};
  CHECK(Tensor<double>({3}, values) == Tensor<double>({3}, {1, 2, 3}));
}

TEST_CASE("the number of values must be the size of the shape") {
  CHECK_THROWS_WITH_AS(
      (Tensor<float>({2, 3}, {1, 2, 3})),
      "tapestry::Tensor: the number of values differs from the shape's size, got 3 values for [2, 3], "
      "expected 6",
      ShapeError);
  CHECK_THROWS_AS((Tensor<float>({}, {})), ShapeError);
}

TEST_CASE("a tensor may be empty") {
  const Tensor<float> empty({2, 0, 3}, {});
  CHECK(empty.size() == 0);
  CHECK(empty.values().empty());
  CHECK(empty == Tensor<float>::zeros({2, 0, 3}));
  CHECK(empty.reshape({0}).shape() == Shape{0});
}

TEST_CASE("copies share one buffer, which the last of them frees") {
  const std::size_t before = BufferPool::liveBuffers();
  {
    const auto x = Tensor<float>::full({100}, 1);
    const Tensor<float> copy = x;
    Tensor<float> assigned;
    assigned = copy;
    CHECK(copy.identical(x));
    CHECK(assigned.data() == x.data());
    CHECK_FALSE(x.unique());
    CHECK(BufferPool::liveBuffers() == before + 1);
  }
  CHECK(BufferPool::liveBuffers() == before);
}

TEST_CASE("a tensor that has been moved from is the scalar zero and can be assigned") {
  auto x = Tensor<float>::full({4}, 2);
  const Tensor<float> y = std::move(x);
  CHECK(x.shape() == Shape{});  // NOLINT(bugprone-use-after-move): the test is about it
  CHECK(x.item() == 0);
  CHECK(y.unique());
  x = y;
  CHECK(x.identical(y));
  x = std::move(x);
  CHECK(x.identical(y));
}

TEST_CASE("writing copies the values first if anybody else holds them") {
  auto x = Tensor<float>::full({4}, 2);
  const float* const buffer = x.data();
  x.exclusiveData()[0] = 1;
  CHECK(x.data() == buffer);

  const Tensor<float> other = x;
  x.exclusiveData()[0] = 5;
  CHECK(other == Tensor<float>({4}, {1, 2, 2, 2}));
  CHECK(x == Tensor<float>({4}, {5, 2, 2, 2}));
  CHECK(x.unique());
  CHECK(other.unique());
}

TEST_CASE("the scalar zero that owns no buffer can be written") {
  Tensor<double> x;
  CHECK_FALSE(x.unique());
  *x.exclusiveData() = 3;
  CHECK(x.item() == 3);
  CHECK(Tensor<double>().item() == 0);
}

TEST_CASE("reshape shares the buffer, and uniqueness sees through it") {
  auto x = Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  {
    auto flat = x.reshape({6});
    CHECK(flat.data() == x.data());
    CHECK(flat(4) == 5);
    CHECK_FALSE(x.unique());
    CHECK_FALSE(flat.unique());
    auto again = flat.reshape({3, 2});
    CHECK(again.identical(x));
    again.exclusiveData()[0] = 9;
    CHECK(x(0, 0) == 1);
  }
  CHECK(x.unique());
  auto view = x.reshape({3, 2});
  x = {};
  CHECK(view.unique());
  CHECK(view(2, 1) == 6);
  CHECK(Tensor<float>().reshape({1, 1}) == Tensor<float>({1, 1}, {0}));
}

TEST_CASE("reshape refuses another size") {
  CHECK_THROWS_WITH_AS(Tensor<float>::zeros({2, 3}).reshape({4}),
                       "tapestry::reshape: the sizes differ, got [2, 3] to [4], expected a shape of size 6",
                       ShapeError);
}

TEST_CASE("item needs a single value") {
  CHECK(Tensor<float>({1, 1}, {3}).item() == 3);
  CHECK_THROWS_WITH_AS(Tensor<float>::zeros({2}).item(),
                       "tapestry::item: not a single value, got [2], expected a tensor of size 1",
                       ShapeError);
}

TEST_CASE("indices are checked") {
  const auto x = Tensor<float>::zeros({2, 3});
  CHECK_THROWS_WITH_AS(x(1, 3),
                       "tapestry::Tensor: index out of range, got (1, 3), expected indices below [2, 3], or "
                       "down to minus those",
                       std::out_of_range);
  CHECK_THROWS_WITH_AS(x(1), "tapestry::Tensor: wrong number of indices, got (1), expected 2 for [2, 3]",
                       ShapeError);
  CHECK_THROWS_AS(x(), ShapeError);
  CHECK(Tensor<float>::scalar(2)() == 2);
  CHECK(x.at(std::array<std::ptrdiff_t, 2>{1, 2}) == 0);
}

TEST_CASE("tensors are equal if their shapes and values are") {
  const Tensor<float> x({2, 2}, {1, 2, 3, 4});
  CHECK(x == Tensor<float>({2, 2}, {1, 2, 3, 4}));
  CHECK(x != Tensor<float>({2, 2}, {1, 2, 3, 5}));
  CHECK(x != Tensor<float>({4}, {1, 2, 3, 4}));
  const auto nan = Tensor<float>::scalar(std::numeric_limits<float>::quiet_NaN());
  CHECK(nan != nan);
}

TEST_CASE("handles of one tensor are copied and dropped on several threads at once") {
  const std::size_t before = BufferPool::liveBuffers();
  {
    const auto x = Tensor<float>::full({64}, 1);
    const auto work = [x] {
      float sum = 0;
      for (int i = 0; i < 10'000; ++i) {
        const Tensor<float> copy = x;
        const Tensor<float> view = copy.reshape({8, 8});
        sum += view.data()[i % 64];
      }
      CHECK(sum == 10'000);
    };
    std::thread other(work);
    work();
    other.join();
  }
  CHECK(BufferPool::liveBuffers() == before);
}
