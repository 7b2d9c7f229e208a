#include <tapestry/tensor/storage/npy.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <vector>

#include "support/system/program_output.hpp"
#include "support/system/temporary_directory.hpp"

namespace {

using tapestry::loadNpy;
using tapestry::saveNpy;
using tapestry::Shape;
using tapestry::Tensor;
using tapestry::test::python;
using tapestry::test::TemporaryDirectory;

template <class T>
Tensor<T> numbers(const Shape& shape) {
  auto tensor = Tensor<T>::uninitialized(shape);
  T* const values = tensor.exclusiveData();
  for (std::size_t i = 0; i < tensor.size(); ++i) values[i] = T(i) / 3 - 1;
  return tensor;
}

constexpr auto header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";

/// A file of version 1.0 with the header, and so many bytes after it.
std::string npy(const std::string& text, std::size_t bytes = 24) {
  return std::string("\x93NUMPY\1\0", 8) + char(text.size()) + '\0' + text + std::string(bytes, '\0');
}

std::string problem(const std::string& content) {
  const TemporaryDirectory directory;
  return directory.errorOf([&] { (void)loadNpy<float>(directory.write("w.npy", content)); });
}

}  // namespace

TEST_CASE_TEMPLATE("a tensor of any rank comes back from its file bit for bit", T, float, double) {
  const TemporaryDirectory directory;
  for (const Shape& shape :
       {Shape{}, Shape{1}, Shape{7}, Shape{0}, Shape{2, 3}, Shape{4, 0, 2}, Shape{2, 1, 3, 1, 2, 1, 1, 2}}) {
    saveNpy(directory / "w.npy", numbers<T>(shape));
    CHECK(loadNpy<T>(directory / "w.npy") == numbers<T>(shape));
  }
  using Limits = std::numeric_limits<T>;
  saveNpy(directory / "w.npy", Tensor<T>({4}, {T(-0.0), Limits::infinity(), Limits::denorm_min(), NAN}));
  const auto special = loadNpy<T>(directory / "w.npy");
  CHECK(std::signbit(special(0)));
  CHECK(special(1) == Limits::infinity());
  CHECK(special(2) == Limits::denorm_min());
  CHECK(std::isnan(special(3)));
}

TEST_CASE("Python's struct reads a .npy file by the format's description") {
  const TemporaryDirectory directory;
  saveNpy(directory / "a.npy", numbers<float>({2, 3}));
  saveNpy(directory / "b.npy", numbers<double>({5}));
  saveNpy(directory / "c.npy", Tensor<double>::scalar(0.1));
  const auto output = python(directory, R"(
import ast, struct
for name in "abc":
    with open(name + ".npy", "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    length, = struct.unpack("<H", data[8:10])
    start = 10 + length
    assert start % 64 == 0 and data[start - 1:start] == b"\n"
    header = ast.literal_eval(data[10:start].decode("ascii"))
    assert sorted(header) == ["descr", "fortran_order", "shape"], header
    count = 1
    for extent in header["shape"]:
        count *= extent
    letter = {"<f4": "f", "<f8": "d"}[header["descr"]]
    values = struct.unpack("<%d%s" % (count, letter), data[start:])
    print(header["descr"], header["fortran_order"], header["shape"], *values)
try:
    import numpy
except ImportError:
    pass
else:
    assert numpy.load("a.npy").shape == (2, 3) and numpy.load("a.npy").dtype == numpy.float32
    assert numpy.load("b.npy").tolist() == [i / 3 - 1 for i in range(5)]
    assert numpy.load("c.npy") == 0.1
)");
  if (!output) return;
  std::istringstream lines(*output);
  const auto line = [&](const std::string& start, std::size_t count) {
    std::string text;
    std::getline(lines, text);
    CHECK(text.substr(0, start.size()) == start);
    std::vector<double> values;
    std::istringstream numbers(text.substr(std::min(start.size(), text.size())));
    for (std::string word; numbers >> word;) values.push_back(std::stod(word));
    REQUIRE(values.size() == count);
    return values;
  };
  const auto a = line("<f4 False (2, 3)", 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(a[i] == double(float(i) / 3 - 1));
  const auto b = line("<f8 False (5,)", 5);
  for (std::size_t i = 0; i < 5; ++i) CHECK(b[i] == double(i) / 3 - 1);
  CHECK(line("<f8 False ()", 1) == std::vector{0.1});
}

TEST_CASE("a file that Python's struct writes by the format's description is read, in both versions") {
  const TemporaryDirectory directory;
  const auto output = python(directory, R"(
import struct
header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n"
values = struct.pack("<4d", 0.1, -2.5, float("inf"), 1e-310)
with open("one.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + values)
with open("two.npy", "wb") as file:
    file.write(b"\x93NUMPY\x02\x00" + struct.pack("<I", len(header)) + header + values)
)");
  if (!output) return;
  const Tensor<double> expected({2, 2}, {0.1, -2.5, std::numeric_limits<double>::infinity(), 1e-310});
  CHECK(loadNpy<double>(directory / "one.npy") == expected);
  CHECK(loadNpy<double>(directory / "two.npy") == expected);
}

TEST_CASE("the header of a .npy file may be written in other ways") {
  CHECK(problem(npy(header)) == "none");
  CHECK(problem(npy("{\"shape\":(2L,3L),\"fortran_order\":False,\"descr\":\"<f4\"}")) == "none");
  CHECK(problem(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}")) == "none");
}

TEST_CASE("a .npy file of values of another type, or in another order, is refused") {
  const TemporaryDirectory directory;
  saveNpy(directory / "w.npy", numbers<double>({2, 3}));
  CHECK(directory.errorOf([&] { (void)loadNpy<float>(directory / "w.npy"); }) ==
        "tapestry::loadNpy: w.npy: values of another type, got \"<f8\", expected \"<f4\"");
  CHECK(problem(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }")) ==
        "tapestry::loadNpy: w.npy: values of another type, got \">f4\", expected \"<f4\"");
  CHECK(problem(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }")) ==
        "tapestry::loadNpy: w.npy: the wrong order, got fortran_order True, expected False");
}

TEST_CASE("a .npy file that is shorter or longer than its header says is refused") {
  CHECK(problem(npy(header, 23)) ==
        "tapestry::loadNpy: w.npy: truncated, got 93 bytes, expected at least 94");
  CHECK(problem(npy(header, 25)) == "tapestry::loadNpy: w.npy: too long, got 95 bytes, expected 94");
  CHECK(problem(npy(header).substr(0, 40)) ==
        "tapestry::loadNpy: w.npy: truncated, got 40 bytes, expected at least 70");
  CHECK(problem("") == "tapestry::loadNpy: w.npy: truncated, got 0 bytes, expected at least 8");
  CHECK(problem(std::string("\x93NUMPY\2\0\xff\xff\xff\xff{", 13)) ==
        "tapestry::loadNpy: w.npy: truncated, got 13 bytes, expected at least 4294967307");
}

TEST_CASE("a .npy header that claims more than memory can hold is refused before memory is taken") {
  const auto shape = [](const std::string& text) {
    return problem(npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + text + ", }"));
  };
  CHECK(shape("(1000000, 1000000)") ==
        "tapestry::loadNpy: w.npy: truncated, got 105 bytes, expected at least 4000000000081");
  CHECK(shape("(4294967296, 4294967296)") ==
        "tapestry::loadNpy: w.npy: too large a shape, got [4294967296, 4294967296], "
        "expected a size that memory can hold");
  CHECK(shape("(0, 4611686018427387904)") ==
        "tapestry::loadNpy: w.npy: too large a shape, got [0, 4611686018427387904], "
        "expected a size that memory can hold");
  CHECK(shape("(1, 1, 1, 1, 1, 1, 1, 1, 6)") ==
        "tapestry::loadNpy: w.npy: too many axes, got [1, 1, 1, 1, 1, 1, 1, 1, 6], expected at most 8");
}

TEST_CASE("a file of another format is refused") {
  CHECK(problem("PK\3\4abcdefgh") ==
        "tapestry::loadNpy: w.npy: no .npy file, got the bytes 50 4b 03 04 61 62 at its start, "
        "expected 93 4e 55 4d 50 59");
  CHECK(problem(std::string("\x93NUMPY\3\0\0\0\0\0", 12)) ==
        "tapestry::loadNpy: w.npy: unknown version, got 3.0, expected 1.0 or 2.0");
  const TemporaryDirectory directory;
  CHECK(directory.errorOf([&] { (void)loadNpy<float>(directory / "w.npy"); }) ==
        "tapestry::loadNpy: w.npy: no such file, expected a readable file");
  std::filesystem::create_directory(directory / "folder");
  CHECK(directory.errorOf([&] { (void)loadNpy<float>(directory / "folder"); }) ==
        "tapestry::loadNpy: folder: is a directory, expected a regular file");
}

TEST_CASE("a .npy header with a mistake is shown") {
  for (const std::string text :
       {"", "{", "{}", "{'descr': '<f4', 'fortran_order': False}", "{'descr': '<f4', 'shape': (6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': No, 'shape': (6,)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'more': 'x'}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} x",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (6,)}"}) {
    const auto shown = text.size() > 80 ? text.substr(0, 80) + "..." : text;
    CHECK(problem(npy(text)) == "tapestry::loadNpy: w.npy: the header is not understood, got \"" + shown +
                                    "\", expected a dictionary of descr, fortran_order and shape");
  }
}

TEST_CASE("a .npy file with any one byte changed is read or refused with a FileError") {
  const TemporaryDirectory directory;
  const auto whole = npy(header);
  int refused = 0;
  for (std::size_t at = 0; at < whole.size() - 24; ++at)
    for (const int change : {1, 2, 8, 16, 127, 128, 255}) {
      auto damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      try {
        (void)loadNpy<float>(directory.write("w.npy", damaged));
      } catch (const tapestry::FileError&) {
        ++refused;
      }
    }
  CHECK(refused > 300);
}
