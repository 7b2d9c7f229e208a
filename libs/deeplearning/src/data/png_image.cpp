#include "image.hpp"

#ifdef TAPESTRY_HAS_PNG
#include <png.h>
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

}  // namespace

Pixels readPng(std::span<const std::uint8_t> content, std::uint64_t mostPixels, const FailImage& fail) {
  PngImage png;
  if (!png_image_begin_read_from_memory(&png.image, content.data(), content.size()))
    failPng(fail, "the header of the PNG image is damaged", png);
  requirePixels(fail, png.image.width, png.image.height, mostPixels);
  const bool colored = (png.image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  png.image.format = colored ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Pixels pixels{png.image.height, png.image.width, colored ? 3U : 1U};
  std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(png.image));
  constexpr png_color black{0, 0, 0};
  if (!png_image_finish_read(&png.image, &black, bytes.data(), 0, nullptr))
    failPng(fail, "the pixels of the PNG image are damaged", png);
  pixels.values.assign(bytes.begin(), bytes.end());
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
