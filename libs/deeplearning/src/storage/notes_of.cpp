#include <tapestry/deeplearning/storage/load.hpp>

#include "safetensors_file.hpp"

namespace tapestry {

Notes notesOf(const std::filesystem::path& path) { return readMetadata(path, "notesOf"); }

}  // namespace tapestry
