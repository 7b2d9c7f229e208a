#include <tapestry/compute/device.hpp>

#include <charconv>
#include <utility>

#include <tapestry/compute/cuda/cuda_devices.hpp>
#include <tapestry/compute/opencl/open_cl_devices.hpp>
#include <tapestry/raii/on.hpp>

#include "device/state.hpp"

namespace tapestry {

namespace {

struct BackEnd {
  std::string_view name;
  std::vector<extend::DeviceProperties> (*list)();
  std::unique_ptr<extend::DeviceDriver> (*open)(std::size_t);
};

constexpr BackEnd backEnds[] = {
    {"opencl", openClDevices, openOpenCl},
    {"cuda", [] { return cudaDevices(); }, [](std::size_t index) { return openCuda(index); }},
};

std::string listOfDevices() {
  std::string text;
  for (const DeviceEntry& entry : devices()) text += (text.empty() ? "" : ", ") + entry.name;
  return text.empty() ? "a device, but none is available" : "one of " + text;
}

/// The number after the colon, 0 without one, or -1 if it is none.
int indexIn(std::string_view rest) {
  if (rest.empty()) return 0;
  int index = -1;
  const char* const end = rest.data() + rest.size();
  if (rest[0] != ':' || std::from_chars(rest.data() + 1, end, index).ptr != end) return -1;
  return index;
}

}  // namespace

Device Device::open(std::string_view name, const DeviceOptions& options) {
  for (const BackEnd& backEnd : backEnds) {
    if (!name.starts_with(backEnd.name)) continue;
    const int index = indexIn(name.substr(backEnd.name.size()));
    if (index < 0 || static_cast<std::size_t>(index) >= backEnd.list().size()) break;
    return Device(std::string(backEnd.name) + ':' + std::to_string(index),
                  backEnd.open(static_cast<std::size_t>(index)), options);
  }
  throw DeviceError("tapestry::Device: there is no device '" + std::string(name) + "', expected " +
                    listOfDevices());
}

Device::Device(std::string name, std::unique_ptr<extend::DeviceDriver> driver, const DeviceOptions& options)
    : state_(std::make_shared<detail::DeviceState>(std::move(name), std::move(driver), options)) {}

const std::string& Device::name() const noexcept { return state_->name(); }
const extend::DeviceProperties& Device::properties() const noexcept { return state_->properties(); }

Do<void> Device::finish() const {
  return on(Executor::inlined(), Do<void>::async([state = state_](const Callback<Try<void>>& callback) {
              const detail::DeviceState::Lock lock(state->mutex());
              state->whenDone([callback](std::exception_ptr error) {
                callback(error ? Try<void>::failure(std::move(error)) : Try<void>::success(Unit()));
              });
            }));
}

DeviceCounts Device::counts() const { return state_->counts(); }

void Device::trim() const {
  const detail::DeviceState::Lock lock(state_->mutex());
  state_->trim();
}

std::vector<DeviceEntry> devices() {
  std::vector<DeviceEntry> entries;
  for (const BackEnd& backEnd : backEnds) {
    std::size_t index = 0;
    for (const extend::DeviceProperties& device : backEnd.list()) {
      entries.push_back(
          {std::string(backEnd.name) + ':' + std::to_string(index++),
           device.name + " (" + device.driver + ", " + std::to_string(device.memory >> 20) + " MiB)"});
    }
  }
  return entries;
}

}  // namespace tapestry
