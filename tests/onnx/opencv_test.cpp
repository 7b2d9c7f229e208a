#ifdef TAPESTRY_HAS_OPENCV
#include <opencv2/dnn.hpp>
#endif

#include <doctest/doctest.h>

#include "onnx/networks.hpp"
#include "support/system/temporary_directory.hpp"
#include "tapestry/deeplearning/predict.hpp"
#include "tapestry/onnx/export_onnx.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::test;

#ifdef TAPESTRY_HAS_OPENCV

/// What OpenCV computes with the file's network, of one input and one output.
std::vector<float> openCvResult(const std::filesystem::path& file, const Tensor<float>& x) {
  std::vector<int> extents;
  for (const std::size_t extent : x.shape()) extents.push_back(static_cast<int>(extent));
  cv::dnn::Net net = cv::dnn::readNetFromONNX(file.string());
  net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
  net.setInput(cv::Mat(extents, CV_32F, const_cast<float*>(x.data())));
  const cv::Mat y = net.forward().clone();
  return {y.ptr<float>(), y.ptr<float>() + y.total()};
}

#endif

}  // namespace

TEST_CASE("OpenCV's dnn runs exported networks with results within 1e-5") {
#ifdef TAPESTRY_HAS_OPENCV
  const TemporaryDirectory directory;
  std::size_t run = 0;
  for (const auto& network : someNetworks()) {
    if (!network.inOpenCv) continue;
    INFO(network.name);
    const TensorLayer x(someInput(network.input));
    const TensorLayer y = network.build(x);
    exportOnnx(y, {{"x", x}}, directory / "m.onnx");
    const auto expected = predict(y).blockingAwait();
    std::vector<float> got;
    try {
      got = openCvResult(directory / "m.onnx", someInput(network.input));
    } catch (const cv::Exception& error) {
      FAIL_CHECK(std::string(error.what()));
      continue;
    }
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i)
      CHECK(std::abs(got[i] - expected.data()[i]) <= 1e-5f * std::max(1.0f, std::abs(expected.data()[i])));
    ++run;
  }
  CHECK(run >= 20);
#else
  MESSAGE("tapestry test skipped: there is no OpenCV (libopencv-dnn-dev)");
#endif
}
