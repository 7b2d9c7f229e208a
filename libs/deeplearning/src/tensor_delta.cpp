#include "tapestry/deeplearning/tensor_delta.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/magnitude.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"
#include "tapestry/tensor/kernels/optimizer.hpp"
#include "tapestry/tensor/shape_error.hpp"

namespace tapestry {

namespace {

/// Returns the rows of all tensors that `part` returns for the products, one below the other.
template <class T, class Products, class Part>
Tensor<T> stackRows(const Products& products, Part part) {
  std::size_t rows = 0;
  for (const auto& product : products) rows += part(product).shape()[0];
  auto stacked = Tensor<T>::uninitialized({rows, part(products.front()).shape()[1]});
  T* out = stacked.exclusiveData();
  for (const auto& product : products) out = std::ranges::copy(part(product).values(), out).out;
  return stacked;
}

}  // namespace

template <class T>
TensorDelta<T> TensorDelta<T>::product(Tensor<T> left, Tensor<T> right) {
  if (left.rank() != 2 || right.rank() != 2 || left.shape()[0] != right.shape()[0])
    throw ShapeError("TensorDelta::product", "the factors do not fit",
                     toString(left.shape()) + " and " + toString(right.shape()), "[K, M] and [K, N]");
  TensorDelta delta;
  delta.product_ = {std::move(left), std::move(right)};
  delta.hasProduct_ = true;
  return delta;
}

template <class T>
Shape TensorDelta<T>::shape() const {
  if (hasDense_) return dense_.shape();
  return {product_.left.shape()[1], product_.right.shape()[1]};
}

template <class T>
void TensorDelta<T>::add(TensorDelta&& other) {
  if (other.empty()) return;
  if (empty()) {
    *this = std::move(other);
    return;
  }
  if (shape() != other.shape())
    throw ShapeError("TensorDelta::add", "the shapes differ",
                     toString(shape()) + " and " + toString(other.shape()), "equal shapes");
  if (!hasDense_)
    std::swap(dense_, other.dense_);
  else if (other.hasDense_)
    kernels::addInto(dense_, other.dense_);
  hasDense_ |= other.hasDense_;
  if (other.hasProduct_) addProducts(std::move(other));
}

template <class T>
void TensorDelta<T>::addProducts(TensorDelta&& other) {
  if (further_.size() < other.further_.size()) {
    std::swap(product_, other.product_);
    std::swap(hasProduct_, other.hasProduct_);
    std::swap(further_, other.further_);
  }
  if (std::exchange(hasProduct_, true)) {
    if (other.hasProduct_) further_.push_back(std::move(other.product_));
  } else {
    product_ = std::move(other.product_);
  }
  std::ranges::move(other.further_, std::back_inserter(further_));
}

template <class T>
Tensor<T> TensorDelta<T>::dense() && {
  using kernels::Transpose;
  if (!hasProduct_) return std::move(dense_);
  const auto [left, right] = std::move(*this).onlyProduct();
  if (!hasDense_) return kernels::matmul(left, Transpose::yes, right, Transpose::no);
  return kernels::addProduct(std::move(dense_), 1, left, Transpose::yes, right, Transpose::no);
}

template <class T>
Tensor<T> TensorDelta<T>::addTo(Tensor<T> x, T factor) && {
  using kernels::Transpose;
  if (hasDense_) x = kernels::sgdStep(std::move(x), dense_, -factor);
  if (!hasProduct_) return x;
  const auto [left, right] = std::move(*this).onlyProduct();
  return kernels::addProduct(std::move(x), factor, left, Transpose::yes, right, Transpose::no);
}

template <class T>
double TensorDelta<T>::bound() const {
  const auto boundOf = [](const Product& product) {
    return static_cast<double>(product.left.shape()[0]) *
           static_cast<double>(kernels::magnitude(product.left)) *
           static_cast<double>(kernels::magnitude(product.right));
  };
  double sum = hasDense_ ? static_cast<double>(kernels::magnitude(dense_)) : 0;
  if (hasProduct_) sum += boundOf(product_);
  for (const Product& product : further_) sum += boundOf(product);
  return sum;
}

template <class T>
bool TensorDelta<T>::isFinite() const {
  if (!hasProduct_) return std::isfinite(kernels::magnitude(dense_));
  // half, since sums are rounded
  return bound() < static_cast<double>(std::numeric_limits<T>::max()) / 2 ||
         std::isfinite(kernels::magnitude(dense()));
}

template <class T>
std::size_t TensorDelta<T>::depth() const noexcept {
  std::size_t sum = hasProduct_ ? product_.left.shape()[0] : 0;
  for (const Product& product : further_) sum += product.left.shape()[0];
  return sum;
}

template <class T>
bool TensorDelta<T>::becomeProductOnto(const Shape& x) {
  if (hasDense_ || !hasProduct_ || shape() != x) return false;
  if (!further_.empty()) {
    product_ = std::move(*this).onlyProduct();
    further_.clear();
  }
  kernels::requireProduct<T>(product_.left.shape()[0], x);
  return true;
}

template <class T>
void TensorDelta<T>::addOnto(const Tensor<T>& x, T factor, Tensor<T>& to) const noexcept {
  using kernels::Transpose;
  kernels::addProductOnto(x, factor, product_.left, Transpose::yes, product_.right, Transpose::no, to);
}

template <class T>
auto TensorDelta<T>::onlyProduct() && -> Product {
  if (further_.empty()) return std::move(product_);
  further_.insert(further_.begin(), std::move(product_));
  return {stackRows<T>(further_, [](auto& product) -> auto& { return product.left; }),
          stackRows<T>(further_, [](auto& product) -> auto& { return product.right; })};
}

template class TensorDelta<float>;
template class TensorDelta<double>;

}  // namespace tapestry
