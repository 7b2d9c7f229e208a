#include <tapestry/deeplearning/data/read_image.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

#include "support/system/input_bytes.hpp"
#include "support/system/program_output.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::test;
using Channels = ImageOptions::Channels;

Tensor<float> read(const std::string& content, const ImageOptions& options = {}) {
  const TemporaryDirectory directory;
  return readImage(directory.write("i", content), options);
}

std::string problem(const std::string& content, const ImageOptions& options = {}) {
  const TemporaryDirectory directory;
  const auto text = directory.errorOf([&] { (void)readImage(directory.write("i", content), options); });
  const std::string start = "tapestry::readImage: i: ";
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

/// 2 x 3 pixels in colour, in numbers that 8 bits hold.
Tensor<float> someColors() {
  auto image = Tensor<float>::uninitialized({3, 2, 3});
  for (std::size_t i = 0; i < image.size(); ++i)
    image.exclusiveData()[i] = static_cast<float>(i * 51 % 256) / 255;
  return image;
}

bool hasPng() {
  const TemporaryDirectory directory;
  if (directory.errorOf([&] { saveImage(directory / "i.png", someColors()); }).find("libpng") ==
      std::string::npos)
    return true;
  MESSAGE("tapestry test skipped: the library was built without libpng");
  return false;
}

}  // namespace

TEST_CASE("all kinds of PNM images are read, plain and raw") {
  const Tensor<float> expected({1, 2, 3}, {1, 0, 1, 0, 0, 1});
  CHECK(read("P1\n3 2\n0 1 0\n110") == expected);
  CHECK(read(std::string("P4 3 2\n\x5f\xdf", 9)) == expected);
  CHECK(read("P2 # a comment\n# and another\n3\t2\r\n5\n5 0 5 0 0 5\n") == expected);
  CHECK(read(std::string("P5\n3 2\n5\n\5\0\5\0\0\5", 15)) == expected);
  CHECK(read(std::string("P5\n1 1\n65535\n\x33\x33", 15))(0, 0, 0) == doctest::Approx(0.2));
  const Tensor<float> colors({3, 1, 2}, {1, 0, 0.2f, 0.6f, 0.4f, 0.8f});
  CHECK(read("P3 2 1 5  5 1 2  0 3 4") == colors);
  CHECK(read("P6 2 1 5 \5\1\2" + std::string("\0\3\4", 3)) == colors);
}

TEST_CASE("grey becomes colour, and colour its luminance, where that is asked for") {
  const auto grey = read("P2 1 1 5 2", {.channels = Channels::color});
  CHECK(grey == Tensor<float>({3, 1, 1}, {0.4f, 0.4f, 0.4f}));
  const auto luminance = read("P3 3 1 1 1 0 0  0 1 0  0 0 1", {.channels = Channels::grey});
  REQUIRE(luminance.shape() == Shape{1, 1, 3});
  CHECK(luminance(0, 0, 0) == doctest::Approx(0.299));
  CHECK(luminance(0, 0, 1) == doctest::Approx(0.587));
  CHECK(luminance(0, 0, 2) == doctest::Approx(0.114));
}

TEST_CASE("images come back from the files that are written, and a gzipped one is read") {
  const TemporaryDirectory directory;
  const auto colors = someColors();
  saveImage(directory / "i.ppm", colors);
  CHECK(readImage(directory / "i.ppm") == colors);
  const Tensor<float> grey({2, 2}, {-1, 0.2f, 1, 7});
  saveImage(directory / "i.pgm", grey);
  CHECK(readImage(directory / "i.pgm") == Tensor<float>({1, 2, 2}, {0, 0.2f, 1, 1}));
  const auto content = directory.read("i.ppm");
  CHECK(readImage(written(directory, "i", gzipped({content.begin(), content.end()}))) == colors);
  if (!hasPng()) return;
  saveImage(directory / "i.png", colors);
  CHECK(directory.read("i.png").starts_with("\x89PNG"));
  CHECK(readImage(directory / "i.png") == colors);
  saveImage(directory / "i.png", grey);
  CHECK(readImage(directory / "i.png") == Tensor<float>({1, 2, 2}, {0, 0.2f, 1, 1}));
}

TEST_CASE(
    "the numbers of PNG images that Python writes are read, with 16 bits, with gamma and with opacity") {
  if (!hasPng()) return;
  const TemporaryDirectory directory;
  const auto output = python(directory, R"(
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def png(name, width, depth, color, row, *chunks):
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n"
                   + chunk(b"IHDR", struct.pack(">IIBBBBB", width, 1, depth, color, 0, 0, 0))
                   + b"".join(chunk(*each) for each in chunks)
                   + chunk(b"IDAT", zlib.compress(b"\0" + bytes(row))) + chunk(b"IEND", b""))
linear = (b"gAMA", struct.pack(">I", 100000))
png("color.png", 2, 8, 2, [255, 0, 51, 102, 153, 204])
png("alpha.png", 2, 8, 6, [255, 0, 51, 255, 255, 255, 255, 0])
png("deep.png", 1, 16, 0, [0x80, 0x81])
png("deep_srgb.png", 1, 16, 2, [0x80, 0x81, 0x01, 0x02, 0xff, 0xfe], (b"sRGB", b"\0"))
png("deep_alpha.png", 1, 16, 4, [0xff, 0xff, 0x33, 0x33])
png("gamma.png", 1, 8, 0, [128], linear)
png("half.png", 1, 8, 4, [204, 51], linear)
png("palette.png", 1, 8, 3, [1], linear, (b"PLTE", bytes([0, 0, 0, 128, 64, 255])), (b"tRNS", bytes([0, 51])))
)");
  if (!output) return;
  const auto read = [&](const char* name) { return readImage(directory / name); };
  const auto grey = [](float value) { return Tensor<float>({1, 1, 1}, {value}); };
  CHECK(read("color.png") == Tensor<float>({3, 1, 2}, {1, 0.4f, 0, 0.6f, 0.2f, 0.8f}));
  CHECK(read("alpha.png") == Tensor<float>({3, 1, 2}, {1, 0, 0, 0, 0.2f, 0}));
  CHECK(read("deep.png") == grey(0x8081 / 65535.0F));
  CHECK(read("deep_srgb.png") ==
        Tensor<float>({3, 1, 1}, {0x8081 / 65535.0F, 0x0102 / 65535.0F, 0xfffe / 65535.0F}));
  CHECK(read("deep_alpha.png") == grey(0.2F));
  CHECK(read("gamma.png") == grey(128 / 255.0F));
  CHECK(read("half.png") == grey(204 * 51 / 65025.0F));
  CHECK(read("palette.png") ==
        Tensor<float>({3, 1, 1}, {128 * 51 / 65025.0F, 64 * 51 / 65025.0F, 255 * 51 / 65025.0F}));
}

TEST_CASE("a file that is no image, or a damaged image, is an error") {
  CHECK(problem("GIF89a") ==
        "no image, got a file of 6 bytes with another beginning, expected PNG, PBM, PGM or PPM");
  CHECK(problem("P5 3") == "no height at byte 4, got the end of the file, expected a number");
  CHECK(problem("P5 x") == "no width at byte 3, got another character, expected a number");
  CHECK(problem("P5 3 2 255 abcde") == "truncated, got 5 bytes of pixels, expected 6");
  const auto packed = gzipped({'P', '5', ' ', '1', ' ', '1', ' ', '9', ' ', 'a'});
  CHECK(problem({packed.begin(), packed.end() - 1}) ==
        "truncated, got a gzip stream without its end, expected its checksum");
  CHECK(problem("P2 1 1 5 6") == "a pixel beyond the greatest value, got 6, expected at most 5");
  CHECK(problem("P2 1 1 0 0") == "no greatest value, got 0, expected 1 to 65535");
  CHECK(problem("P5 1 1 5000000000 a") == "no greatest value, got 4294967296, expected 1 to 65535");
  CHECK(problem("P1 1 1 2") == "no pixel at byte 7, got another character or the end, expected 0 or 1");
  CHECK(problem("P5 99999999999 2 255 ") ==
        "not as many pixels, got 4294967296 x 2, expected at least 1 and at most 268435456");
  CHECK(problem("P5 3 2 255 abcdef", {.mostPixels = 5}) ==
        "not as many pixels, got 3 x 2, expected at least 1 and at most 5");
  if (!hasPng()) return;
  const TemporaryDirectory directory;
  saveImage(directory / "i.png", someColors());
  const auto whole = directory.read("i.png");
  for (std::size_t size = 8; size < whole.size() - 12; ++size)
    CHECK(problem(whole.substr(0, size)).find(" of the PNG image ") != std::string::npos);
}

TEST_CASE(
    "a file that is no image is refused by its beginning, and one that is too long is not read further") {
  const auto packed = [](const std::string& content) {
    const auto bytes = gzipped({content.begin(), content.end()});
    return std::string(bytes.begin(), bytes.end());
  };
  CHECK(problem(std::string(8, '\0')).starts_with("no image, got a file of 8 bytes with another beginning"));
  CHECK(problem(packed(std::string(5'000'000, '\0'))) ==
        "no image, got a file of more than 8 bytes with another beginning, expected PNG, PBM, PGM or PPM");
  std::string longest = "P5 1 1 5 \1";
  longest.resize((1 << 20) + 18 * 100);
  for (const bool gzip : {false, true}) {
    const auto stored = [&](const std::string& content) { return gzip ? packed(content) : content; };
    CHECK(read(stored(longest), {.mostPixels = 100}) == Tensor<float>({1, 1, 1}, {0.2f}));
    CHECK(problem(stored(longest + 'x'), {.mostPixels = 100}) ==
          "too long for an image of at most 100 pixels, got more than 1050376 bytes, expected the end there");
    CHECK(read(stored(longest + 'x'), {.mostPixels = std::numeric_limits<std::uint64_t>::max()}).size() == 1);
  }
}

TEST_CASE("an image of so many pixels that 64 bits cannot hold the number of their bytes is refused") {
  for (const std::string kind : {"P3", "P5", "P6"})
    CHECK(problem(kind + " 4294967296 2147483648 65535 ab",
                  {.mostPixels = std::numeric_limits<std::uint64_t>::max()}) ==
          "not as many pixels, got 4294967296 x 2147483648, expected at least 1 and at most "
          "3074457345618258602");
}

TEST_CASE("a tensor that is no image, and a file name without a known format, are refused") {
  const TemporaryDirectory directory;
  const auto error = [&](const char* name, const Shape& shape) {
    return directory.errorOf([&] { saveImage(directory / name, Tensor<float>::zeros(shape)); });
  };
  CHECK(error("i.png", {2, 2, 2}) ==
        "tapestry::saveImage: no image, got [2, 2, 2], expected [height, width], [1, ..] or [3, ..]");
  CHECK(error("i.ppm", {2, 2}) ==
        "tapestry::saveImage: i.ppm: another format, got \".ppm\" for 1 channels, expected .png, .pgm for 1 "
        "channel or .ppm for 3");
  CHECK(directory.files() == 0);
}
