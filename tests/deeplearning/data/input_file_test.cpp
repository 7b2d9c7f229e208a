#include <tapestry/deeplearning/data/input_file.hpp>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "support/system/input_bytes.hpp"
#include "tapestry/deeplearning/data/read_csv.hpp"
#include "tapestry/deeplearning/storage/safetensors.hpp"
#include "tapestry/tensor/storage/npy.hpp"

namespace {

using namespace tapestry::test;
using tapestry::InputFile;
using tapestry::loadNpy;
using tapestry::loadSafetensors;
using tapestry::readCsv;

/// Bytes that cannot be compressed.
Bytes noise(std::size_t size) {
  Bytes bytes(size);
  std::uint32_t state = 1;
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  return bytes;
}

/// Bytes that shrink a thousandfold.
Bytes zeros(std::size_t size) { return Bytes(size); }

std::string problem(const Bytes& content, std::uint64_t count) {
  const TemporaryDirectory directory;
  return directory.errorOf([&] {
    InputFile file(written(directory, "file", content), "read");
    (void)file.take(count);
    file.expectEnd();
  });
}

}  // namespace

TEST_CASE("a file gives the same bytes plain, gzipped, and gzipped in several members") {
  const TemporaryDirectory directory;
  for (const auto& content : {zeros(3'000'000), noise(3'000'000), noise(1), Bytes{}}) {
    const auto half = static_cast<std::ptrdiff_t>(content.size() / 2);
    const Bytes front(content.begin(), content.begin() + half), back(content.begin() + half, content.end());
    for (const auto& stored : {content, gzipped(content), gzipped(front) + gzipped(back)}) {
      InputFile file(written(directory, "file", stored), "read");
      const auto some = file.take(content.size() / 3);
      CHECK((some + file.take(content.size() - some.size()) == content));
      file.expectEnd();
    }
  }
}

TEST_CASE("a file that cannot be opened is named with the reason") {
  const TemporaryDirectory directory;
  const auto open = [&](const char* name) {
    return directory.errorOf([&] { InputFile file(directory / name, "read"); });
  };
  CHECK(open("file") == "tapestry::read: file: no such file, expected a readable file");
  std::filesystem::create_directory(directory.path() / "folder");
  CHECK(open("folder") == "tapestry::read: folder: is a directory, expected a regular file");
  const auto locked = written(directory, "locked", noise(1));
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  if (std::ifstream(locked).fail())  // root may read everything
    CHECK(open("locked") ==
          "tapestry::read: locked: cannot be opened (Permission denied), expected a readable file");
}

TEST_CASE("a path of no regular file is refused before it is opened") {
  const TemporaryDirectory directory;
  const auto open = [&](const std::filesystem::path& path) {
    return directory.errorOf([&] { InputFile file(path, "read"); });
  };
  REQUIRE(::mkfifo((directory / "pipe").c_str(), 0600) == 0);
  CHECK(open(directory / "pipe") == "tapestry::read: pipe: is a pipe, expected a regular file");
  std::filesystem::create_symlink("/dev/zero", directory / "link");
  CHECK(open(directory / "link") == "tapestry::read: link: is a device, expected a regular file");
  CHECK(directory.errorOf([&] { (void)readCsv(directory / "pipe"); }) ==
        "tapestry::readCsv: pipe: is a pipe, expected a regular file");
  CHECK(directory.errorOf([&] { (void)loadNpy<float>(directory / "link"); }) ==
        "tapestry::loadNpy: link: is a device, expected a regular file");
  CHECK(directory.errorOf([&] { (void)loadSafetensors(directory / "pipe"); }) ==
        "tapestry::loadSafetensors: pipe: is a pipe, expected a regular file");
  written(directory, "file", noise(3));
  std::filesystem::create_symlink("file", directory / "good");
  CHECK(InputFile(directory / "good", "read").take(3) == noise(3));
}

TEST_CASE("the error of a file that is too short or too long has its bytes and the expected bytes") {
  CHECK(problem({}, 4) == "tapestry::read: file: truncated, got 0 bytes, expected at least 4");
  CHECK(problem(noise(99), 100) == "tapestry::read: file: truncated, got 99 bytes, expected at least 100");
  CHECK(problem(gzipped(noise(99)), 100) ==
        "tapestry::read: file: truncated, got 99 bytes, expected at least 100");
  CHECK(problem(noise(101), 100) ==
        "tapestry::read: file: too long, got more than 100 bytes, expected the end there");
  CHECK(problem(gzipped(noise(101)), 100) ==
        "tapestry::read: file: too long, got more than 100 bytes, expected the end there");
}

TEST_CASE("a gzip stream that is cut short is truncated wherever the cut is") {
  const auto whole = gzipped(noise(500));
  for (std::size_t size = 2; size < whole.size(); ++size)
    CHECK(problem(first(size, whole), 500).starts_with("tapestry::read: file: truncated, got "));
  CHECK(problem(first(whole.size() - 8, whole), 500) ==
        "tapestry::read: file: truncated, got a gzip stream without its end, expected its checksum");
}

TEST_CASE("a second gzip member that is cut short is truncated wherever the cut is after its magic bytes") {
  const auto front = gzipped(noise(500)), back = gzipped(noise(500));
  for (std::size_t size = 2; size < back.size(); ++size)
    CHECK(problem(front + first(size, back), 1000).starts_with("tapestry::read: file: truncated, got "));
  CHECK(problem(front + first(2, back), 500) ==
        "tapestry::read: file: truncated, got a gzip stream without its end, expected its checksum");
}

TEST_CASE("a gzip stream that was damaged is corrupt") {
  const auto whole = gzipped(noise(500));
  auto damaged = whole;
  damaged[damaged.size() - 8] ^= 1;
  CHECK(problem(damaged, 500) ==
        "tapestry::read: file: corrupt gzip stream, got \"incorrect data check\", expected intact gzip data");
  damaged = whole;
  damaged[2] = 7;
  CHECK(problem(damaged, 500) ==
        "tapestry::read: file: corrupt gzip stream, got \"unknown compression method\", expected intact gzip "
        "data");
  damaged = whole;
  damaged[10] |= 6;
  CHECK(problem(damaged, 500) ==
        "tapestry::read: file: corrupt gzip stream, got \"invalid block type\", expected intact gzip data");
}

TEST_CASE("garbage after a gzip stream is found") {
  for (const auto& garbage : {Bytes{'\n'}, Bytes{'g', 'a', 'r', 'b', 'a', 'g', 'e'}, Bytes(1000)})
    CHECK(problem(gzipped(noise(500)) + garbage, 500) ==
          "tapestry::read: file: garbage after the gzip stream, expected the end of the file");
}

TEST_CASE("asking for more than any machine holds costs no more memory than the file has") {
  CHECK(problem(noise(10), std::uint64_t{1} << 60) ==
        "tapestry::read: file: truncated, got 10 bytes, expected at least 1152921504606846976");
}

TEST_CASE("the rest of a file can be taken without knowing its length") {
  const TemporaryDirectory directory;
  InputFile file(written(directory, "file", gzipped({1, 2, 3})), "read");
  CHECK((file.takeUpTo(2) == Bytes{1, 2}));
  CHECK((file.takeUpTo(2) == Bytes{3}));
  CHECK(file.takeUpTo(2).empty());
  InputFile same(directory / "file", "read");
  CHECK((same.takeUpTo(std::size_t{1} << 32) == Bytes{1, 2, 3}));
}

TEST_CASE("the rest of a file as a text has no byte order mark, and is empty at the end of the file") {
  const TemporaryDirectory directory;
  InputFile file(written(directory, "file", gzipped({'1', 0xef, 0xbb, 0xbf, 'a', '\n', 0xef, 0xbb, 0xbf})),
                 "read");
  CHECK((file.takeUpTo(1) == Bytes{'1'}));
  CHECK(file.takeText() == "a\n\xef\xbb\xbf");
  CHECK(file.takeText().empty());
}

TEST_CASE("the end of a file is seen, plain and gzipped, and looking for it takes nothing") {
  const TemporaryDirectory directory;
  for (const auto& stored : {Bytes{1, 2, 3}, gzipped({1, 2, 3}), gzipped({1}) + gzipped({2, 3})}) {
    InputFile file(written(directory, "file", stored), "read");
    CHECK(!file.atEnd());
    CHECK(!file.atEnd());
    CHECK((file.take(1) == Bytes{1}));
    CHECK(!file.atEnd());
    CHECK((file.take(2) == Bytes{2, 3}));
    CHECK(file.atEnd());
    CHECK(file.take(0).empty());
  }
  auto cut = gzipped({1, 2, 3});
  cut.resize(cut.size() - 4);
  InputFile file(written(directory, "file", cut), "read");
  (void)file.take(3);
  CHECK(directory.errorOf([&] { (void)file.atEnd(); }) ==
        "tapestry::read: file: truncated, got a gzip stream without its end, expected its checksum");
}
