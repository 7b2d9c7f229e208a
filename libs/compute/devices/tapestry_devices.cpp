// Lists the available devices, or tests and measures one:
//
//     tapestry-devices [--test] [--measure] [--size N] [--elements N] [NAME]
#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

#include <tapestry/compute/self_test.hpp>

namespace {

int test(const tapestry::Device& device) {
  int failures = 0;
  const auto results = tapestry::selfTest(device);
  for (const tapestry::SelfTestResult& result : results) {
    if (result.passed()) continue;
    ++failures;
    if (result.problem.empty())
      std::printf("FAILED %s: error %.3g, expected at most %.3g\n", result.name.c_str(), result.error,
                  result.tolerance);
    else
      std::printf("FAILED %s: %s\n", result.name.c_str(), result.problem.c_str());
  }
  std::printf("%zu kernels tested, %d failed\n", results.size(), failures);
  return failures == 0 ? 0 : 1;
}

void measure(const tapestry::Device& device, std::size_t size, std::size_t elements) {
  const tapestry::DeviceSpeed speed = tapestry::measureDevice(device, size, elements);
  std::printf("product of %zu x %zu: %.0f GFLOP/s\n", size, size, speed.productGflops);
  std::printf("eight elementwise operations, one kernel: %.1f GB/s\n", speed.chainGbytes);
  std::printf("one elementwise operation: %.1f GB/s\n", speed.copyGbytes);
  std::printf("the host's cost of an operation: %.2f us\n", speed.launchMicroseconds);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Lists the devices that tapestry::compute can use, or tests and measures one.");
  std::string name;
  bool tests = false, measures = false;
  std::size_t size = 1024, elements = std::size_t{1} << 24;
  app.add_option("name", name, "the device, such as opencl:0");
  app.add_flag("--test", tests, "compare all kernels with those of the host");
  app.add_flag("--measure", measures, "measure products, bandwidth and launches");
  app.add_option("--size", size, "the rows of the matrices that are multiplied")->capture_default_str();
  app.add_option("--elements", elements, "of the tensors that are streamed")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    if (name.empty() && !tests && !measures) {
      const auto entries = tapestry::devices();
      for (const tapestry::DeviceEntry& entry : entries)
        std::printf("%s  %s\n", entry.name.c_str(), entry.description.c_str());
      if (entries.empty()) std::puts("no device is available");
      return 0;
    }
    const auto device = tapestry::Device::open(name.empty() ? "opencl" : name);
    std::printf("%s  %s (%s)\n", device.name().c_str(), device.properties().name.c_str(),
                device.properties().driver.c_str());
    const int failed = tests ? test(device) : 0;
    if (measures) measure(device, size, elements);
    return failed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tapestry-devices: %s\n", error.what());
    return 1;
  }
}
