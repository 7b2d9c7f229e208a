// Defines TemporaryDirectory, a new directory for the files of one test.
#pragma once

#include <stdlib.h>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tapestry::test {

/// Removed with all that it holds at the end of its scope.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    auto name = (std::filesystem::temp_directory_path() / "tapestry-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::filesystem::remove(path_ / name);  // some file systems sync what is written over an old file
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

  /// The text of the error that the action throws, with paths as they are from here.
  template <class F>
  std::string errorOf(const F& action) const try {
    static_cast<void>(action());
    return "none";
  } catch (const std::exception& error) {
    std::string text = error.what();
    const auto place = path_.string() + '/';
    if (const auto at = text.find(place); at != std::string::npos) text.erase(at, place.size());
    return text;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tapestry::test
