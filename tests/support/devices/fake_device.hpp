// Defines FakeDevice, a driver whose device is memory of the host, which fails when told to.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/extend/device_driver.hpp>
#include <tapestry/continuation/blocking.hpp>
#include <tapestry/continuation/delay.hpp>

namespace tapestry::test {

/// What a FakeDevice has been asked to do, and how it fails; outlives the driver.
struct FakeDeviceLog {
  std::vector<std::string> commands;
  std::vector<std::string> sources;
  std::atomic<int> compilations{0};
  std::set<void*> memory;  ///< allocated now
  std::size_t memoryLimit = 1 << 20;
  std::size_t memoryUsed = 0;
  std::size_t largestBuffer = 0;
  std::size_t parameterBytes = 1024;
  bool compiles = true;
  bool launches = true;
  bool isLost = false;                  ///< whether what was enqueued fails
  std::atomic<int> failingWrites{0};    ///< how many of the next copies to the device fail
  std::function<void()> compiling;      ///< called when a compilation begins, unless empty
  std::atomic<bool> holdsReads{false};  ///< whether copies to the host wait for `release`
  std::vector<std::function<void()>> held;

  /// Completes the copies that have waited.
  void release() {
    holdsReads = false;
    for (const auto& complete : std::exchange(held, {})) complete();
  }
};

class FakeDevice final : public extend::DeviceDriver {
 public:
  explicit FakeDevice(std::shared_ptr<FakeDeviceLog> log, std::uint32_t group = 1, std::uint32_t width = 1)
      : log_(std::move(log)) {
    properties_.name = "fake";
    properties_.driver = "fake driver";
    properties_.memory = log_->memoryLimit;
    properties_.largestBuffer = log_->largestBuffer;
    properties_.parameterBytes = log_->parameterBytes;
    properties_.hasDouble = false;
    properties_.group = group;
    properties_.width = width;
    properties_.parallelism = 4 * group;
  }
  ~FakeDevice() override { log_->commands.push_back("closed"); }

  const extend::DeviceProperties& properties() const noexcept override { return properties_; }

  extend::DeviceMemory allocate(std::size_t bytes) override {
    if (log_->memoryUsed + bytes > log_->memoryLimit) throw DeviceMemoryError("fake: out of memory");
    auto* const block = new std::vector<char>(bytes);
    log_->memoryUsed += bytes;
    log_->memory.insert(block);
    return block;
  }
  void release(extend::DeviceMemory memory) noexcept override {
    auto* const block = static_cast<std::vector<char>*>(memory);
    log_->memoryUsed -= block->size();
    log_->memory.erase(block);
    delete block;
  }

  void write(extend::DeviceMemory to, const void* from, std::size_t bytes,
             std::shared_ptr<const void>) override {
    if (log_->failingWrites > 0) {
      --log_->failingWrites;
      throw DeviceError("fake: write failed");
    }
    log_->commands.push_back("write " + std::to_string(bytes));
    std::memcpy(static_cast<std::vector<char>*>(to)->data(), from, bytes);
  }
  void read(void* to, extend::DeviceMemory from, std::size_t bytes, std::shared_ptr<void> owner,
            std::function<void(std::exception_ptr)> done) override {
    log_->commands.push_back("read " + std::to_string(bytes));
    std::memcpy(to, static_cast<std::vector<char>*>(from)->data(), bytes);
    const auto complete = [this, owner, done = std::move(done)] {
      whenDone([owner, done](const std::exception_ptr& error) { done(error); });
    };
    if (log_->holdsReads)
      log_->held.push_back(complete);
    else
      complete();
  }

  extend::DeviceKernel compile(const std::string& name, const std::string& source) override {
    ++log_->compilations;
    if (log_->compiling) log_->compiling();
    if (!log_->compiles) throw DeviceError("fake: kernel " + name + " does not compile", source);
    log_->sources.push_back(source);
    names_.push_back(std::make_unique<std::string>(name));
    return names_.back().get();
  }
  void launch(extend::DeviceKernel kernel, std::span<const extend::KernelArgument> arguments,
              std::size_t groups, std::size_t groupSize) override {
    if (!log_->launches) throw DeviceError("fake: launch failed");
    log_->commands.push_back("launch " + *static_cast<std::string*>(kernel) + ' ' +
                             std::to_string(arguments.size()) + ' ' + std::to_string(groups) + 'x' +
                             std::to_string(groupSize));
  }

  void prepareProducts(bool isDouble) override {
    log_->commands.push_back(isDouble ? "prepare d" : "prepare f");
  }
  void multiply(const extend::DeviceProduct& product) override {
    log_->commands.push_back("multiply " + std::to_string(product.m) + 'x' + std::to_string(product.k) + 'x' +
                             std::to_string(product.n) + (product.a.transposed ? " T" : " N") +
                             (product.b.transposed ? "T" : "N"));
  }

  void whenDone(std::function<void(std::exception_ptr)> done) override {
    const std::exception_ptr error =
        log_->isLost ? std::make_exception_ptr(DeviceError("fake: the device is lost")) : nullptr;
    delay([done = std::move(done), error] { done(error); }).onComplete([](const auto&) {}, blockingThreads());
  }

 private:
  const std::shared_ptr<FakeDeviceLog> log_;
  extend::DeviceProperties properties_;
  std::vector<std::unique_ptr<std::string>> names_;
};

}  // namespace tapestry::test
