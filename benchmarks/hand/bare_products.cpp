#include <memory>

#include "hand/sides.hpp"
#include "work/length.hpp"

namespace tapestry::benchmarks::hand {

namespace {

class Products {
 public:
  Products(const DenseWork& work, unsigned threads) : work_(work), threads_(threads) {}

  double run() {
    const Threads scope(threads_);
    forward_(work_.x.data(), work_.first.data(), hidden_.data());
    forward_(hidden_.data(), work_.second.data(), y_.data());
    toWeight_(hidden_.data(), delta_.data(), second_.data());
    toInput_(delta_.data(), work_.second.data(), deltaOfHidden_.data());
    toWeight_(work_.x.data(), deltaOfHidden_.data(), first_.data());
    return y_.front();
  }

  double result() const { return length(first_) + length(second_); }

 private:
  static constexpr int batch = DenseWork::batch, width = DenseWork::width;
  using Array = std::vector<float>;

  Product make(const ProductShape& shape) const {
    const Threads scope(threads_);
    return makeProduct(shape, Library::fastest);
  }

  const DenseWork& work_;
  const unsigned threads_;
  const Product forward_ = make({false, false, batch, width, width});
  const Product toWeight_ = make({true, false, width, width, batch});
  const Product toInput_ = make({false, true, batch, width, width});
  Array hidden_ = Array(batch * width), y_ = hidden_, deltaOfHidden_ = hidden_;
  Array first_ = Array(width * width), second_ = first_;
  const Array delta_ = Array(batch * width, 1);
};

}  // namespace

Side bareProducts(const DenseWork& work, unsigned threads) {
  const auto products = std::make_shared<Products>(work, threads);
  return {.reset = [] {},
          .run = [products] { return products->run(); },
          .result = [products] { return products->result(); }};
}

}  // namespace tapestry::benchmarks::hand
