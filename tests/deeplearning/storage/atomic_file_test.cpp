#include <tapestry/deeplearning/storage/atomic_file.hpp>

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string_view>

#include "support/temporary_directory.hpp"

namespace {

using tapestry::AtomicFile;
using tapestry::test::TemporaryDirectory;

void write(AtomicFile& file, std::string_view text) { file.write(std::as_bytes(std::span(text))); }

void save(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path, "save");
  write(file, text);
  file.commit();
}

/// While it lives, no file of this process grows beyond so many bytes.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

/// While it lives, root has the permissions of nobody.
class AsNobody {
 public:
  AsNobody() : root_(::geteuid() == 0 && ::seteuid(65534) == 0) {}
  ~AsNobody() {
    if (root_) CHECK(::seteuid(0) == 0);
  }

 private:
  const bool root_;
};

}  // namespace

TEST_CASE("a file has its name when it is committed, and not before") {
  const TemporaryDirectory directory;
  AtomicFile file(directory / "file", "save");
  write(file, "new");
  CHECK(!std::filesystem::exists(directory / "file"));
  file.commit();
  CHECK(directory.read("file") == "new");
  CHECK(directory.files() == 1);
}

TEST_CASE("a file that is not committed leaves the old one whole, and nothing behind") {
  const TemporaryDirectory directory;
  directory.write("file", "old");
  {
    AtomicFile file(directory / "file", "save");
    write(file, "new");
    CHECK(directory.files() == 2);
  }
  CHECK(directory.read("file") == "old");
  CHECK(directory.files() == 1);
}

TEST_CASE("a process that is killed while it writes leaves the old file whole") {
  const TemporaryDirectory directory;
  directory.write("file", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(directory / "file", "save");
    write(file, "new");
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WTERMSIG(status) == SIGKILL);
  CHECK(directory.read("file") == "old");
  save(directory / "file", "newer");
  CHECK(directory.read("file") == "newer");
}

TEST_CASE("a full disk is told with the file and the reason, and leaves the old file whole") {
  const TemporaryDirectory directory;
  directory.write("file", "old");
  const std::string large(10'000, 'x');
  {
    const FileSizeLimit limit(4096);
    CHECK(directory.errorOf([&] { save(directory / "file", large); }) ==
          "tapestry::save: file: cannot be written, got \"File too large\", expected a writable file");
  }
  CHECK(directory.read("file") == "old");
  CHECK(directory.files() == 1);
  save(directory / "file", large);
  CHECK(directory.read("file") == large);
}

TEST_CASE("a missing directory and a lack of permission are told apart") {
  const TemporaryDirectory directory;
  CHECK(directory.errorOf([&] { save(directory / "none/file", ""); }) ==
        "tapestry::save: none/file: cannot be created, got \"No such file or directory\", "
        "expected a writable file");
  std::filesystem::permissions(directory.path(), std::filesystem::perms(0755));
  const AsNobody nobody;
  if (::geteuid() == 65534)
    CHECK(directory.errorOf([&] { save(directory / "file", ""); }) ==
          "tapestry::save: file: cannot be created, got \"Permission denied\", expected a writable file");
}

TEST_CASE("what is no regular file is not replaced") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "folder");
  CHECK(directory.errorOf([&] { save(directory / "folder", ""); }) ==
        "tapestry::save: folder: cannot be replaced, got a directory, expected a file or nothing");
  REQUIRE(::mkfifo((directory / "pipe").c_str(), 0600) == 0);
  CHECK(directory.errorOf([&] { save(directory / "pipe", ""); }) ==
        "tapestry::save: pipe: cannot be replaced, got a device, pipe or socket, expected a file or nothing");
}

TEST_CASE("a link goes on leading to the file, and permissions are passed on") {
  const TemporaryDirectory directory;
  std::filesystem::permissions(directory.write("file", "old"), std::filesystem::perms(0640));
  std::filesystem::create_symlink("file", directory / "link");
  save(directory / "link", "new");
  CHECK(std::filesystem::is_symlink(directory / "link"));
  CHECK(directory.read("file") == "new");
  CHECK(std::filesystem::status(directory / "file").permissions() == std::filesystem::perms(0640));
}

TEST_CASE("a name without a directory is one in the current directory") {
  const TemporaryDirectory directory;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());
  save("file", "here");
  std::filesystem::current_path(before);
  CHECK(directory.read("file") == "here");
}
