#include "opencl/completions.hpp"

#include <utility>

#include <tapestry/compute/device_error.hpp>

#include "device/background.hpp"

namespace tapestry::detail {

struct Completions::Completion {
  std::string device;
  FirstError first;
  Done done;
};

void CL_CALLBACK Completions::onComplete(cl_event, cl_int status, void* data) {
  const std::unique_ptr<Completion> completion(static_cast<Completion*>(data));
  cl_int none = CL_SUCCESS;
  if (status < 0) completion->first->compare_exchange_strong(none, status);
  std::exception_ptr error;
  if (const cl_int first = *completion->first; first != CL_SUCCESS)
    error = std::make_exception_ptr(DeviceError("tapestry::" + completion->device +
                                                ": the device failed with error " + std::to_string(first)));
  completion->done(std::move(error));
}

void Completions::call(cl::Event& event, Done done) const {
  auto completion = std::make_unique<Completion>(Completion{device_, first_, std::move(done)});
  try {
    event.setCallback(CL_COMPLETE, onComplete, completion.get());
  } catch (const cl::Error&) {
    clWaitForEvents(1, &event());  // the command uses what the completion owns
    throw;
  }
  static_cast<void>(completion.release());  // the callback owns it
}

void Completions::callBeside(cl::Event& event, Done done) const {
  call(event, [done = std::move(done)](std::exception_ptr error) {
    inBackgroundOrHere([done, error = std::move(error)]() mutable { done(std::move(error)); });
  });
}

}  // namespace tapestry::detail
