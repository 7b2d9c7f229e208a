#include <tapestry/compute/device_tensor.hpp>

#include <string>
#include <utility>

#include <tapestry/compute/kernels/device_layout.hpp>
#include <tapestry/raii/on.hpp>
#include <tapestry/tensor/kernels/view.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "build.hpp"
#include "kernel/store.hpp"

namespace tapestry {

namespace {

template <class T>
constexpr bool isDouble = std::same_as<T, double>;

template <class T>
void requireType(const Device& device) {
  if (isDouble<T> && !device.properties().hasDouble)
    throw DeviceError("tapestry::" + device.name() +
                      ": the device has no double, expected DeviceTensor<float>");
}

template <class T>
void copyToHost(const detail::ExpressionRef& expression, const Callback<Try<Tensor<T>>>& callback) {
  if (expression->kind == detail::DeviceExpression::Kind::constant)
    return callback(
        Try<Tensor<T>>::success(Tensor<T>::full(expression->shape, static_cast<T>(expression->constant))));
  auto host = std::make_shared<Tensor<T>>(Tensor<T>::uninitialized(expression->shape));
  T* const data = host->exclusiveData();
  detail::DeviceState& device = *expression->device;
  const detail::DeviceState::Lock lock(device.mutex());
  detail::storeLocked(*expression);
  if (expression->bytes() == 0) return callback(Try<Tensor<T>>::success(*host));
  device.download(
      data, expression->buffer, expression->bytes(), host, [callback, host](std::exception_ptr error) {
        callback(error ? Try<Tensor<T>>::failure(std::move(error)) : Try<Tensor<T>>::success(*host));
      });
}

}  // namespace

template <class T>
DeviceTensor<T>::DeviceTensor() : DeviceTensor(scalar(0)) {}

template <class T>
DeviceTensor<T>::DeviceTensor(const Device& device, const Tensor<T>& host) {
  requireType<T>(device);
  detail::requireCountable(host.shape(), "DeviceTensor");
  const std::shared_ptr<detail::DeviceState>& state = device.state();
  const std::size_t bytes = host.size() * sizeof(T);
  const auto owner = std::make_shared<const Tensor<T>>(host);
  const detail::DeviceState::Lock lock(state->mutex());
  const auto buffer = std::make_shared<detail::DeviceBuffer>(state, bytes);
  if (bytes != 0) state->upload(buffer, owner->data(), bytes, owner);
  expression_ = detail::DeviceExpression::storedIn(isDouble<T>, host.shape(), buffer, state);
}

template <class T>
DeviceTensor<T> DeviceTensor<T>::full(const Shape& shape, T value) {
  detail::requireCountable(shape, "full");
  return DeviceTensor(detail::DeviceExpression::constantOf(isDouble<T>, shape, value));
}

template <class T>
DeviceTensor<T> DeviceTensor<T>::random(const Device& device, const Shape& shape, std::uint64_t seed) {
  requireType<T>(device);
  return DeviceTensor(detail::randomised(isDouble<T>, shape, seed, device.state()));
}

template <class T>
const Shape& DeviceTensor<T>::shape() const noexcept {
  return expression_->shape;
}

template <class T>
std::optional<Device> DeviceTensor<T>::device() const {
  if (!expression_->device) return std::nullopt;
  return Device(expression_->device);
}

template <class T>
Do<Tensor<T>> DeviceTensor<T>::toHost() const {
  return on(Executor::inlined(), Do<Tensor<T>>::async([expression = expression_](const auto& callback) {
              copyToHost<T>(expression, callback);
            }));
}

template <class T>
const DeviceTensor<T>& DeviceTensor<T>::compute() const {
  if (expression_->kind != detail::DeviceExpression::Kind::constant) detail::store(*expression_);
  return *this;
}

template <class T>
Do<void> DeviceTensor<T>::issued() const {
  if (expression_->kind == detail::DeviceExpression::Kind::constant) return Do<void>::now();
  return on(Executor::inlined(),
            Do<void>::async([expression = expression_](const Callback<Try<void>>& callback) {
              detail::DeviceState& device = *expression->device;
              const detail::DeviceState::Lock lock(device.mutex());
              detail::storeLocked(*expression);
              device.whenIssued(expression->buffer, [callback](std::exception_ptr error) {
                callback(error ? Try<void>::failure(std::move(error)) : Try<void>::success(Unit()));
              });
            }));
}

template <class T>
DeviceTensor<T> DeviceTensor<T>::reshape(const Shape& shape) const {
  if (shape.size() != size())
    throw ShapeError("reshape", "the sizes differ", toString(this->shape()) + " to " + toString(shape),
                     "a shape of size " + std::to_string(size()));
  kernels::View view = kernels::View::of(shape);
  return DeviceLayout::read(*this, view);
}

template <class T>
DeviceTensor<T> DeviceTensor<T>::permute(std::span<const std::ptrdiff_t> axes) const {
  return DeviceLayout::read(*this, kernels::View::permuted(shape(), axes, "permute"));
}

template <class T>
DeviceTensor<T> DeviceTensor<T>::slice(std::span<const Slice> slices) const {
  return DeviceLayout::read(*this, kernels::View::sliced(shape(), slices, "slice"));
}

template <class T>
DeviceTensor<T> DeviceTensor<T>::broadcastTo(const Shape& shape) const {
  if (tapestry::broadcast(this->shape(), shape, "broadcastTo") != shape)
    throw ShapeError("broadcastTo", "the shape does not broadcast", toString(this->shape()),
                     "one that broadcasts to " + toString(shape));
  return DeviceTensor(detail::broadcasted(expression_, shape));
}

template class DeviceTensor<float>;
template class DeviceTensor<double>;

}  // namespace tapestry
