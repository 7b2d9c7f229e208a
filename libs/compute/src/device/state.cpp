#include "device/state.hpp"

#include "device/background.hpp"

namespace tapestry::detail {

namespace {

std::uint64_t limitOf(const DeviceOptions& options, const extend::DeviceProperties& properties) {
  return options.memoryLimit != 0 ? options.memoryLimit : properties.memory / 10 * 9;
}

/// Calls `done` with an error only: without one, the driver calls it.
std::function<void(std::exception_ptr)> ifFailed(std::function<void(std::exception_ptr)> done) {
  return [done = std::move(done)](std::exception_ptr error) {
    if (error) done(std::move(error));
  };
}

/// Throws the error of what a command needs, or of the first buffer that it reads.
void requireUsable(const Preparation* needs, const std::vector<BufferRef>& reads) {
  if (needs != nullptr && needs->error) std::rethrow_exception(needs->error);
  for (const BufferRef& buffer : reads)
    if (buffer->error) std::rethrow_exception(buffer->error);
}

}  // namespace

DeviceBuffer::DeviceBuffer(std::shared_ptr<DeviceState> device, std::size_t bytes)
    : device_(std::move(device)), piece_(device_->take(bytes)) {}

DeviceBuffer::~DeviceBuffer() { device_->pool().give(piece_); }

DeviceState::DeviceState(std::string name, std::unique_ptr<extend::DeviceDriver> driver,
                         const DeviceOptions& options)
    : name_(std::move(name)),
      options_(options),
      driver_(std::move(driver)),
      properties_(driver_->properties()),
      pool_(*driver_, name_, limitOf(options, properties_)) {
  floats_.name = "products of float";
  doubles_.name = "products of double";
  doubles_.isDouble = true;
  awaitMarksAtExit();  // the driver has loaded its libraries
}

DeviceState::~DeviceState() { pool_.trim(); }

void DeviceState::launch(Preparation& kernel, std::span<const extend::KernelArgument> arguments,
                         const std::vector<BufferRef>& reads, const std::vector<BufferRef>& writes,
                         std::size_t groups, std::size_t groupSize) {
  ++counts_.kernels;
  if (canIssue(&kernel)) {
    requireUsable(&kernel, reads);
    return launchNamed(kernel, arguments, groups, groupSize);
  }
  put({&kernel, reads, writes,
       [this, &kernel, kept = std::vector(arguments.begin(), arguments.end()), groups, groupSize] {
         launchNamed(kernel, kept, groups, groupSize);
       }});
}

void DeviceState::launchNamed(const Preparation& kernel, std::span<const extend::KernelArgument> arguments,
                              std::size_t groups, std::size_t groupSize) {
  const auto named = [&](const DeviceError& error) {
    return std::string(error.what()) + ", of kernel " + kernel.name;
  };
  try {
    driver_->launch(kernel.kernel, arguments, groups, groupSize);
  } catch (const DeviceMemoryError& error) {
    throw DeviceMemoryError(named(error), kernel.source);
  } catch (const DeviceError& error) {
    throw DeviceError(named(error), kernel.source);
  }
}

void DeviceState::multiply(const extend::DeviceProduct& product, const std::vector<BufferRef>& reads,
                           const BufferRef& write) {
  ++counts_.products;
  Preparation& needs = products(product.isDouble);
  if (canIssue(&needs)) {
    requireUsable(&needs, reads);
    return driver_->multiply(product);
  }
  put({&needs, reads, {write}, [this, product] { driver_->multiply(product); }});
}

void DeviceState::upload(const BufferRef& to, const void* from, std::size_t bytes,
                         std::shared_ptr<const void> owner) {
  ++counts_.uploads;
  if (canIssue(nullptr)) return driver_->write(to->memory(), from, bytes, std::move(owner));
  put({nullptr, {}, {to}, [this, to, from, bytes, owner = std::move(owner)] {
         driver_->write(to->memory(), from, bytes, owner);
       }});
}

void DeviceState::download(void* to, const BufferRef& from, std::size_t bytes, std::shared_ptr<void> owner,
                           std::function<void(std::exception_ptr)> done) {
  ++counts_.downloads;
  put({nullptr,
       {from},
       {},
       [this, to, from, bytes, owner = std::move(owner), done] {
         driver_->read(to, from->memory(), bytes, owner, done);
       },
       ifFailed(done)});
}

void DeviceState::whenIssued(const BufferRef& buffer, std::function<void(std::exception_ptr)> done) {
  put({nullptr, {buffer}, {}, [] {}, std::move(done)});
}

void DeviceState::whenDone(std::function<void(std::exception_ptr)> done) {
  put({nullptr, {}, {}, [this, done] { driver_->whenDone(done); }, ifFailed(done)});
}

/// What the thread owns that prepares and issues the commands of a device.
struct DeviceState::Issuing {
  AwaitedAtExit mark;  // destroyed last
  std::shared_ptr<DeviceState> device;

  void run() const noexcept {
    while (Preparation* const needed = device->issueReady()) device->prepare(*needed);
  }
};

void DeviceState::put(Command command) {
  if (canIssue(command.needs)) {
    issue(command);
    if (command.issued) command.issued(std::move(command.error));
    return;
  }
  waiting_.push_back(std::move(command));
  if (waiting_.size() > 1) return;  // a thread is at work
  try {
    startIssuing();
  } catch (...) {  // no thread would issue the command
    Command refused = std::move(waiting_.front());
    waiting_.pop_front();
    refused.fail(std::current_exception());
    if (refused.issued) refused.issued(std::move(refused.error));
  }
}

void DeviceState::startIssuing() {
  const auto issuing = std::make_shared<Issuing>();
  issuing->device = shared_from_this();
  if (!inBackground([issuing] { issuing->run(); }))
    throw DeviceError("tapestry::" + name_ + ": " + waiting_.front().needs->name +
                      ": there is no thread for the compiler");
}

Preparation* DeviceState::issueReady() noexcept {
  std::vector<std::function<void()>> notifications;  // called without the lock
  Preparation* needed = nullptr;
  {
    const Lock lock(mutex_);
    while (!waiting_.empty() && (waiting_.front().needs == nullptr || waiting_.front().needs->ready)) {
      Command& command = waiting_.front();
      issue(command);
      if (command.issued)
        notifications.emplace_back(
            [issued = std::move(command.issued), error = std::move(command.error)]() mutable {
              issued(std::move(error));
            });
      waiting_.pop_front();  // the buffers of the command can be recycled by the next one
    }
    if (!waiting_.empty()) needed = waiting_.front().needs;
  }
  for (std::function<void()>& notification : notifications) inBackgroundOrHere(std::move(notification));
  return needed;
}

void DeviceState::prepare(Preparation& what) noexcept {
  std::exception_ptr error;
  extend::DeviceKernel kernel = nullptr;
  try {
    if (what.source.empty())
      driver_->prepareProducts(what.isDouble);
    else
      kernel = driver_->compile(what.name, what.source);
  } catch (...) {
    error = std::current_exception();
  }
  const Lock lock(mutex_);
  what.kernel = kernel;
  what.error = error;
  what.ready = true;
  if (!error && !what.source.empty()) ++counts_.compiled;
}

void DeviceState::issue(Command& command) noexcept {
  try {
    requireUsable(command.needs, command.reads);
    command.issue();
  } catch (...) {
    command.fail(std::current_exception());
  }
}

MemoryPool::Piece DeviceState::take(std::size_t bytes) {
  try {
    return pool_.take(bytes);
  } catch (const DeviceMemoryError& error) {
    if (waiting_.empty()) throw;
    throw DeviceMemoryError(std::string(error.what()) + "; " + std::to_string(waiting_.size()) +
                            " commands keep their buffers until a kernel has been compiled");
  }
}

void DeviceState::trim() noexcept {
  pool_.trim();
  driver_->trim();
}

DeviceCounts DeviceState::counts() {
  const Lock lock(mutex_);
  DeviceCounts counts = counts_;
  const MemoryPool::Usage usage = pool_.usage();
  counts.buffers = usage.buffers;
  counts.bytes = usage.bytes;
  counts.recycledBytes = usage.recycledBytes;
  return counts;
}

}  // namespace tapestry::detail
