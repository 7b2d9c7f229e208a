#include <tapestry/tensor/storage/atomic_file.hpp>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string_view>

#include "support/system/temporary_directory.hpp"

namespace {

using tapestry::AtomicFile;
using tapestry::test::TemporaryDirectory;

void write(AtomicFile& file, std::string_view text) { file.write(std::as_bytes(std::span(text))); }

void save(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path, "save");
  write(file, text);
  file.commit();
}

/// While it lives, no file of this process grows beyond this number of bytes.
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

/// Returns false if the system has no filters of system calls.
bool filterCalls(std::span<sock_filter> program) {
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// From now on this process finds no file system that has files without a name.
bool forbidUnnamedFiles() {
  constexpr std::uint32_t unnamed = O_TMPFILE & ~O_DIRECTORY;
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, unnamed, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return filterCalls(program);
}

/// From now on this process closes no file, and is told that the disk has failed.
bool forbidClosing() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return filterCalls(program);
}

/// The status of a child that does this and, unless it is killed, exits with 0.
int statusOf(const auto& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    action();
    ::_exit(0);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

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
  }
  CHECK(directory.read("file") == "old");
  CHECK(directory.files() == 1);
}

TEST_CASE("a process that is killed while it writes leaves the old file whole, and nothing behind") {
  const TemporaryDirectory directory;
  directory.write("file", "old");
  const int status = statusOf([&] {
    AtomicFile file(directory / "file", "save");
    write(file, "new");
    ::kill(::getpid(), SIGKILL);
  });
  CHECK(WTERMSIG(status) == SIGKILL);
  CHECK(directory.read("file") == "old");
  CHECK(directory.files() == 1);
}

TEST_CASE(
    "a save that is killed at any time leaves the old or new content, and the next save leaves one file") {
  const TemporaryDirectory directory;
  const std::string contents[] = {std::string(200'000, 'a'), std::string(200'000, 'b')};
  save(directory / "file", contents[0]);
  for (int round = 0; round < 20; ++round) {
    const pid_t child = ::fork();
    if (child == 0)
      for (int i = 0;; ++i) save(directory / "file", contents[i % 2]);
    ::usleep(static_cast<useconds_t>(500 * round));
    ::kill(child, SIGKILL);
    REQUIRE(::waitpid(child, nullptr, 0) == child);
    const auto content = directory.read("file");
    CHECK((content == contents[0] || content == contents[1]));
  }
  save(directory / "file", "last");
  CHECK(directory.read("file") == "last");
  CHECK(directory.files() == 1);
}

TEST_CASE("where files have to have names, a save removes those of processes that have ended") {
  const TemporaryDirectory directory;
  directory.write("file", "old");
  directory.write(".tapestry-notes", "of the user");
  constexpr int failed = 3, unsupported = 4;
  const int killed = statusOf([&] {
    if (!forbidUnnamedFiles()) ::_exit(unsupported);
    AtomicFile file(directory / "file", "save");
    write(file, "new");
    if (directory.files() != 3) ::_exit(failed);
    ::kill(::getpid(), SIGKILL);
  });
  if (WIFEXITED(killed) && WEXITSTATUS(killed) == unsupported) {
    MESSAGE("skipped: the system has no seccomp filters");
    return;
  }
  CHECK(WTERMSIG(killed) == SIGKILL);
  CHECK(directory.files() == 3);
  // a file that is being written is locked
  const auto other = directory.write(".tapestry-1-0.tmp", "of another process");
  const int lock = ::open(other.c_str(), O_RDONLY);
  REQUIRE(::flock(lock, LOCK_EX | LOCK_NB) == 0);
  CHECK(statusOf([&] {
          if (!forbidUnnamedFiles()) ::_exit(failed);
          save(directory / "file", "new");
        }) == 0);
  CHECK(directory.read("file") == "new");
  CHECK(directory.files() == 3);
  ::close(lock);
  save(directory / "file", "newer");
  CHECK(directory.files() == 2);
  CHECK(directory.read(".tapestry-notes") == "of the user");
}

TEST_CASE("a save removes no file of the user's whose name only looks like that of a temporary file") {
  const TemporaryDirectory directory;
  for (const char* name : {".tapestry-mine.tmp", ".tapestry-.tmp", ".tapestry-1.tmp", ".tapestry-1-x.tmp"})
    directory.write(name, "mine");
  save(directory / "file", "new");
  CHECK(directory.files() == 5);
}

TEST_CASE("the error of a full disk has the file and the reason, and the old file stays whole") {
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

TEST_CASE("a file whose bytes are on the disk is saved, even if it cannot be closed") {
  const TemporaryDirectory directory;
  constexpr int failed = 3, unsupported = 4;
  const int status = statusOf([&] {
    AtomicFile file(directory / "file", "save");
    write(file, "new");
    if (!forbidClosing()) ::_exit(unsupported);
    if (directory.errorOf([&] { file.commit(); }) != "none") ::_exit(failed);
  });
  if (WIFEXITED(status) && WEXITSTATUS(status) == unsupported) {
    MESSAGE("skipped: the system has no seccomp filters");
    return;
  }
  CHECK(status == 0);
  CHECK(directory.read("file") == "new");
}

TEST_CASE("a missing directory and a lack of permission have different errors") {
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

TEST_CASE("a directory or a device is not replaced") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "folder");
  CHECK(directory.errorOf([&] { save(directory / "folder", ""); }) ==
        "tapestry::save: folder: cannot be replaced, got a directory, expected a file or nothing");
  REQUIRE(::mkfifo((directory / "pipe").c_str(), 0600) == 0);
  CHECK(directory.errorOf([&] { save(directory / "pipe", ""); }) ==
        "tapestry::save: pipe: cannot be replaced, got a device, pipe or socket, expected a file or nothing");
}

TEST_CASE("a name that is taken while the file is written is reported, and nothing is left behind") {
  const TemporaryDirectory directory;
  {
    AtomicFile file(directory / "file", "save");
    write(file, "new");
    std::filesystem::create_directory(directory / "file");
    CHECK(directory.errorOf([&] { file.commit(); }) ==
          "tapestry::save: file: cannot be replaced by the written file, and stays as it was, got \"Is a "
          "directory\", expected a name that this process may replace");
  }
  CHECK(std::filesystem::is_directory(directory / "file"));
  CHECK(directory.files() == 1);
}

TEST_CASE("a link still leads to the file, and permissions are passed on") {
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

TEST_CASE("a link that leads to no file yet is followed, also by way of other links and directories") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "folder");
  std::filesystem::create_symlink("folder/link", directory / "link");
  std::filesystem::create_symlink("../file", directory / "folder/link");
  save(directory / "link", "first");
  save(directory / "link", "second");
  CHECK(directory.read("file") == "second");
  CHECK(std::filesystem::is_symlink(directory / "link"));
  CHECK(std::filesystem::is_symlink(directory / "folder/link"));
}

TEST_CASE("a loop of links is an error, and stays") {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink("b", directory / "a");
  std::filesystem::create_symlink("a", directory / "b");
  CHECK(
      directory.errorOf([&] { save(directory / "a", ""); }) ==
      "tapestry::save: a: cannot be followed, got \"Too many levels of symbolic links\", expected a writable "
      "file");
  CHECK(std::filesystem::is_symlink(directory / "a"));
  CHECK(directory.files() == 2);
}

TEST_CASE("a file that is replaced keeps its owner and group where the process may set them") {
  if (::geteuid() != 0) {
    MESSAGE("skipped: needs root");
    return;
  }
  const TemporaryDirectory directory;
  const auto file = directory.write("file", "old");
  REQUIRE(::chown(file.c_str(), 65534, 12) == 0);
  REQUIRE(::chmod(file.c_str(), 0640) == 0);
  save(file, "new");
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  CHECK(status.st_uid == 65534);
  CHECK(status.st_gid == 12);
  CHECK((status.st_mode & 0777) == 0640);
}
