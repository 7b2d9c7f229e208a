#include "image.hpp"

#include <algorithm>

#ifdef TAPESTRY_HAS_PNG
#include <png.h>

#include <string_view>
#endif

namespace tapestry {

#ifdef TAPESTRY_HAS_PNG

namespace {

/// Freed at the end of its scope.
struct PngImage {
  PngImage() { image.version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(&image); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;

  std::string message() const { return image.message; }

  png_image image{};
};

[[noreturn]] void failPng(const FailImage& fail, const char* problem, const PngImage& png) {
  fail(std::string(problem) + ", got \"" + png.message() + "\", expected a valid PNG image");
  std::abort();
}

std::size_t numberAt(const std::uint8_t* bytes) {
  return std::size_t{bytes[0]} << 24 | std::size_t{bytes[1]} << 16 | std::size_t{bytes[2]} << 8 | bytes[3];
}

/// The file with the chunks alone that pixels need: the critical ones, whose names begin with a capital
/// letter, and tRNS. From gamma and colour profiles libpng would compute other numbers than the file has.
/// Precondition: the file begins with the eight bytes of the format's signature.
std::vector<std::uint8_t> withoutColorSpaces(std::span<const std::uint8_t> file) {
  constexpr std::size_t around = 12;  // bytes of a chunk beside its data
  std::vector<std::uint8_t> kept(file.begin(), file.begin() + 8);
  for (auto rest = file.subspan(8); rest.size() >= around;) {
    const auto all = rest.first(around + std::min(numberAt(rest.data()), rest.size() - around));
    const std::string_view name(reinterpret_cast<const char*>(all.data()) + 4, 4);
    if ((name[0] & 0x20) == 0 || name == "tRNS") kept.insert(kept.end(), all.begin(), all.end());
    rest = rest.subspan(all.size());
  }
  return kept;
}

/// Reads the pixels in this format; 16-bit formats have alpha multiplied in.
template <class T>
std::vector<T> valuesAs(png_uint_32 format, PngImage& png, const FailImage& fail) {
  png.image.format = format;
  std::vector<T> values(PNG_IMAGE_SIZE(png.image) / sizeof(T));
  if (!png_image_finish_read(&png.image, nullptr, values.data(), 0, nullptr))
    failPng(fail, "the pixels of the PNG image are damaged", png);
  return values;
}

/// Reads 8-bit pixels, whose channels are followed by alpha, and multiplies alpha in.
void readTransparent(Pixels& pixels, png_uint_32 format, PngImage& png, const FailImage& fail) {
  const auto values = valuesAs<std::uint8_t>(format, png, fail);
  const std::size_t count = pixels.height * pixels.width, channels = pixels.channels;
  pixels.white = 255 * 255;
  pixels.values.reserve(count * channels);
  for (std::size_t pixel = 0; pixel < count; ++pixel)
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const auto* const own = values.data() + pixel * (channels + 1);
      pixels.values.push_back(static_cast<std::uint16_t>(own[channel] * own[channels]));
    }
}

}  // namespace

Pixels readPng(std::span<const std::uint8_t> content, std::uint64_t mostPixels, const FailImage& fail) {
  const auto file = withoutColorSpaces(content);
  PngImage png;
  if (!png_image_begin_read_from_memory(&png.image, file.data(), file.size()))
    failPng(fail, "the header of the PNG image is damaged", png);
  requirePixels(fail, png.image.width, png.image.height, mostPixels);
  const bool colored = (png.image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  Pixels pixels{png.image.height, png.image.width, colored ? 3U : 1U};
  if ((png.image.format & PNG_FORMAT_FLAG_LINEAR) != 0) {  // 16 bits
    pixels.white = 65535;
    pixels.values = valuesAs<std::uint16_t>(colored ? PNG_FORMAT_LINEAR_RGB : PNG_FORMAT_LINEAR_Y, png, fail);
  } else if ((png.image.format & PNG_FORMAT_FLAG_ALPHA) != 0) {
    readTransparent(pixels, colored ? PNG_FORMAT_RGBA : PNG_FORMAT_GA, png, fail);
  } else {
    const auto values = valuesAs<std::uint8_t>(colored ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY, png, fail);
    pixels.values.assign(values.begin(), values.end());
  }
  return pixels;
}

std::vector<std::uint8_t> writtenPng(std::span<const std::uint8_t> pixels, std::size_t height,
                                     std::size_t width, std::size_t channels, const FailImage& fail) {
  PngImage png;
  png.image.width = static_cast<png_uint_32>(width);
  png.image.height = static_cast<png_uint_32>(height);
  png.image.format = channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t size = 0;
  if (!png_image_write_get_memory_size(png.image, size, 0, pixels.data(), 0, nullptr))
    failPng(fail, "the image cannot be written", png);
  std::vector<std::uint8_t> bytes(size);
  if (!png_image_write_to_memory(&png.image, bytes.data(), &size, 0, pixels.data(), 0, nullptr))
    failPng(fail, "the image cannot be written", png);
  bytes.resize(size);
  return bytes;
}

#else

Pixels readPng(std::span<const std::uint8_t>, std::uint64_t, const FailImage& fail) {
  fail("PNG cannot be read, got a library that was built without libpng, expected libpng-dev at its build");
  return {};
}

std::vector<std::uint8_t> writtenPng(std::span<const std::uint8_t>, std::size_t, std::size_t, std::size_t,
                                     const FailImage& fail) {
  fail(
      "PNG cannot be written, got a library that was built without libpng, expected libpng-dev at its build");
  return {};
}

#endif

}  // namespace tapestry
