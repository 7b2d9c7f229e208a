// Defines readImage and saveImage, which read and write images in the formats PNG and PNM.
#pragma once

#include <cstdint>
#include <filesystem>

#include "tapestry/tensor/storage/file_error.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

struct ImageOptions {
  enum class Channels {
    stored,  ///< 1 for an image in grey, else 3
    grey,    ///< 1: the luminance of a coloured image
    color,   ///< 3: red, green, blue
  };
  Channels channels = Channels::stored;
  /// An image with more pixels is refused before memory is taken for it, as is a file, after decompression,
  /// of more than 1 MiB and 18 bytes for each of so many pixels.
  std::uint64_t mostPixels = std::uint64_t{1} << 28;
};

/// Returns [channels, height, width] of numbers from 0, dark, to 1: one image of a batch for Conv2d. They are
/// the numbers of the file, divided by the greatest possible number, whatever gamma or colour profile the
/// file names. Reads PNG by libpng, of up to 16 bits a channel; colours are multiplied by their opacity,
/// which makes transparent parts black. Reads PNM, plain or raw, of black and white (PBM), grey (PGM) or
/// coloured (PPM) pixels. Either may be gzipped. The content decides, not the name. Throws FileError, with
/// what was found and expected, for any other file, and for PNG where the library was built without libpng.
/// Blocks the thread.
[[nodiscard]] Tensor<float> readImage(const std::filesystem::path& path, const ImageOptions& options = {});

/// Writes [height, width] or [channels, height, width], 1 or 3 channels, with 8 bits a channel; numbers below
/// 0 become 0, above 1 become 255. The name decides: .png, .pgm (1 channel), .ppm (3 channels). When this
/// returns, the file at the path is complete; if it throws FileError, the path keeps its previous file.
/// Throws ShapeError for another shape. Blocks the thread.
void saveImage(const std::filesystem::path& path, const Tensor<float>& image);

}  // namespace tapestry
#pragma GCC visibility pop
