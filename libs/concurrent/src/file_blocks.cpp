#include "tapestry/concurrent/stream/file_blocks.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

#include "tapestry/raii/on.hpp"
#include "tapestry/raii/scoped.hpp"

namespace tapestry {

namespace {

[[noreturn]] void throwSystemError(const char* what, const std::filesystem::path& path) {
  const int error = errno;
  throw std::system_error(error, std::generic_category(),
                          std::string("tapestry::fileBlocks: cannot ") + what + " " + path.string() +
                              ", expected a readable file");
}

struct Close {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

class FileReader {
 public:
  FileReader(std::filesystem::path path, std::size_t size) : path_(std::move(path)), size_(size) {
    do file_.reset(std::fopen(path_.c_str(), "rbe"));
    while (!file_ && errno == EINTR);  // a signal was handled while a FIFO waited for its writer
    if (!file_) throwSystemError("open", path_);
    // blocks are read as they are requested
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  }

  Chunk<std::string> next() const {
    std::string block(size_, '\0');
    std::size_t taken = 0;
    for (;;) {
      errno = 0;
      taken += std::fread(block.data() + taken, 1, size_ - taken, file_.get());
      if (taken == size_ || !std::ferror(file_.get()) || errno != EINTR) break;
      std::clearerr(file_.get());  // a signal was handled meanwhile
    }
    block.resize(taken);
    if (std::ferror(file_.get())) {
      if (block.empty()) throwSystemError("read", path_);
      // an error comes after the bytes before it: the next call reads there again
      std::clearerr(file_.get());
    }
    Chunk<std::string> blocks;
    if (!block.empty()) blocks.push_back(std::move(block));
    return blocks;
  }

 private:
  std::filesystem::path path_;
  std::size_t size_;
  std::unique_ptr<std::FILE, Close> file_;
};

Stream<std::string> blocksOf(std::filesystem::path path, Executor* executor, std::size_t size,
                             const detail::Location& location) {
  detail::positive(size, "fileBlocks", "the size");
  const auto there = [executor](const auto& program) { return executor ? on(*executor, program) : program; };
  using Blocks = Pull<std::string>;
  const auto opening = scoped(there(
      Do<FileReader>::delay([path = std::move(path), size] { return FileReader(path, size); }, location)));
  return Stream<std::string>(opening.map(
      [there, location](const Handle<FileReader>& file) {
        return there(Blocks::delay([file] { return file->next(); }, location));
      },
      location));
}

}  // namespace

Stream<std::string> fileBlocks(std::filesystem::path path, std::size_t size, detail::Location location) {
  return blocksOf(std::move(path), nullptr, size, location);
}

Stream<std::string> fileBlocks(std::filesystem::path path, Executor& executor, std::size_t size,
                               detail::Location location) {
  return blocksOf(std::move(path), &executor, size, location);
}

}  // namespace tapestry
