#include "kernel/window_source.hpp"

#include <cstdint>
#include <initializer_list>

namespace tapestry::detail {

namespace {

/// The beginning of a kernel, with the buffers that it reads and those that it writes.
std::string headOf(bool isDouble, std::string_view name, std::initializer_list<std::string_view> reads,
                   std::initializer_list<std::string_view> writes, std::string_view numbers = {}) {
  const std::string type = isDouble ? "double" : "float";
  std::string text = "#define T " + type + "\nKERNEL void " + std::string(name) + '(';
  for (const std::string_view buffer : reads)
    text += "GLOBAL const T* RESTRICT " + std::string(buffer) + ", ";
  for (const std::string_view buffer : writes) text += "GLOBAL T* RESTRICT " + std::string(buffer) + ", ";
  return text + std::string(numbers) + R"(
const int height, const int width, const int rows, const int columns, const int outHeight, const int outWidth,
const int strideHeight, const int strideWidth, const int paddingHeight, const int paddingWidth,
const int dilationHeight, const int dilationWidth, const int count) {
const uint i = GLOBAL_ID;
if (i >= (uint)count) return;
)";
}

/// For work-item i, a place of the window: calls the body for each element, at `at` of x, that is no padding.
std::string forEachElement(std::string_view body) {
  return R"(
const int line = (int)(i / (uint)outWidth % (uint)outHeight) * strideHeight - paddingHeight;
const int column = (int)(i % (uint)outWidth) * strideWidth - paddingWidth;
const uint plane = i / (uint)outWidth / (uint)outHeight;
for (int p = 0; p < rows; ++p) {
const int l = line + p * dilationHeight;
if (l < 0 || l >= height) continue;
for (int q = 0; q < columns; ++q) {
const int c = column + q * dilationWidth;
if (c < 0 || c >= width) continue;
const uint at = (plane * (uint)height + (uint)l) * (uint)width + (uint)c;
)" + std::string(body) +
         "}\n}\n";
}

/// For work-item i, an element of a plane: calls the body for each element (p, q) of the window that covers
/// it, at place (a, b).
std::string forEachWindow(std::string_view body) {
  return R"(
const int line = (int)(i / (uint)width % (uint)height) + paddingHeight;
const int column = (int)(i % (uint)width) + paddingWidth;
const uint plane = i / (uint)width / (uint)height;
T sum = 0;
for (int p = 0; p < rows; ++p) {
const int l = line - p * dilationHeight, a = l / strideHeight;
if (l < 0 || l % strideHeight != 0 || a >= outHeight) continue;
for (int q = 0; q < columns; ++q) {
const int c = column - q * dilationWidth, b = c / strideWidth;
if (c < 0 || c % strideWidth != 0 || b >= outWidth) continue;
)" + std::string(body) +
         "}\n}\n";
}

constexpr std::string_view outPlace = "((plane * (uint)outHeight + (uint)a) * (uint)outWidth + (uint)b)";

}  // namespace

std::vector<std::size_t> Windows::after(std::vector<std::size_t> before) const {
  for (const HeightWidth& pair : {in, window, out, stride, padding, dilation})
    before.insert(before.end(), {pair.height, pair.width});
  return before;
}

std::string unfoldSource(bool isDouble, std::string_view name) {
  return headOf(isDouble, name, {"x"}, {"to"}, "const int channels, const int images,") + R"(
const uint b = i % (uint)outWidth, a = i / (uint)outWidth % (uint)outHeight;
const uint place = i / (uint)outWidth / (uint)outHeight, element = place / (uint)images;
const uint q = element % (uint)columns, p = element / (uint)columns % (uint)rows;
const uint channel = element / (uint)columns / (uint)rows, image = place % (uint)images;
const int l = (int)a * strideHeight + (int)p * dilationHeight - paddingHeight;
const int c = (int)b * strideWidth + (int)q * dilationWidth - paddingWidth;
T value = 0;
if (l >= 0 && l < height && c >= 0 && c < width)
value = x[((image * (uint)channels + channel) * (uint)height + (uint)l) * (uint)width + (uint)c];
to[i] = value;
}
)";
}

std::string foldSource(bool isDouble, std::string_view name) {
  return headOf(isDouble, name, {"from"}, {"to"}, "const int channels, const int images,") + forEachWindow(R"(
const uint element = (plane % (uint)channels * (uint)rows + (uint)p) * (uint)columns + (uint)q;
const uint image = element * (uint)images + plane / (uint)channels;
sum += from[(image * (uint)outHeight + (uint)a) * (uint)outWidth + (uint)b];
)") + "to[i] = sum;\n}\n";
}

std::string maxPoolSource(bool isDouble, std::string_view name) {
  return headOf(isDouble, name, {"x"}, {"to"}) + "T most = -INFINITY;\n" + forEachElement(R"(
const T value = x[at];
most = (most > value || most != most) ? most : value;
)") + "to[i] = most;\n}\n";
}

std::string maxShareSource(bool isDouble, std::string_view name) {
  return headOf(isDouble, name, {"x", "delta"}, {"most", "share"}) + "T best = -INFINITY, equal = 0;\n" +
         forEachElement(R"(
const T value = x[at];
if (value == best) equal += 1;
if (!(value <= best) && best == best) { best = value; equal = 1; }
)") + "most[i] = best;\nshare[i] = delta[i] / equal;\n}\n";
}

std::string maxSpreadSource(bool isDouble, std::string_view name) {
  const std::string at(outPlace);
  return headOf(isDouble, name, {"x", "most", "share"}, {"to"}) + "const T own = x[i];\n" +
         forEachWindow("if (own == most[" + at + "]) sum += share[" + at + "];\n") + "to[i] = sum;\n}\n";
}

std::string avgPoolSource(bool isDouble, std::string_view name) {
  return headOf(isDouble, name, {"x"}, {"to"}) + "T sum = 0;\n" + forEachElement("sum += x[at];\n") +
         "to[i] = sum / (T)(rows * columns);\n}\n";
}

std::string avgSpreadSource(bool isDouble, std::string_view name) {
  return headOf(isDouble, name, {"delta"}, {"to"}) +
         forEachWindow("sum += delta[" + std::string(outPlace) + "];\n") +
         "to[i] = sum / (T)(rows * columns);\n}\n";
}

}  // namespace tapestry::detail
