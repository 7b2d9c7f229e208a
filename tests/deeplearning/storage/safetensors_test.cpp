#include <tapestry/deeplearning/storage/safetensors.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <string>

#include "support/system/program_output.hpp"
#include "support/system/temporary_directory.hpp"

namespace {

using tapestry::Integers;
using tapestry::loadSafetensors;
using tapestry::NamedArrays;
using tapestry::saveSafetensors;
using tapestry::Tensor;
using tapestry::test::python;
using tapestry::test::TemporaryDirectory;

NamedArrays someArrays() {
  return {{{"a", Tensor<float>({2, 3}, {0.1f, -2, 3e-40f, 4, 5, 6})},
           {"b.weight", Tensor<double>({2}, {0.1, -1e-310})},
           {"empty", Tensor<float>::zeros({0, 4})},
           {"steps", Integers{{}, {std::numeric_limits<std::int64_t>::min()}}},
           {"ü \"\\\n", Integers{{3}, {1, -2, 3}}},
           {"z", Tensor<double>::scalar(7)}},
          {{"title", "two \"words\""}}};
}

std::string file(const std::string& header, std::size_t bytes = 0) {
  const std::uint64_t length = header.size();
  std::string content(8, '\0');
  std::memcpy(content.data(), &length, 8);
  return content + header + std::string(bytes, '\0');
}

std::string problem(const std::string& content) {
  const TemporaryDirectory directory;
  const auto text =
      directory.errorOf([&] { (void)loadSafetensors(directory.write("w.safetensors", content)); });
  const std::string start = "tapestry::loadSafetensors: w.safetensors: ";
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

constexpr auto onePair = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)";

}  // namespace

TEST_CASE("arrays of all three types, and texts about them, come back from their file") {
  const TemporaryDirectory directory;
  const auto saved = someArrays();
  saveSafetensors(directory / "w.safetensors", saved);
  const auto loaded = loadSafetensors(directory / "w.safetensors");
  CHECK(loaded.arrays == saved.arrays);
  CHECK(loaded.metadata == saved.metadata);
  saveSafetensors(directory / "w.safetensors", {});
  CHECK(loadSafetensors(directory / "w.safetensors").arrays.empty());
}

TEST_CASE("Python's json and struct read a safetensors file by the format's description") {
  const TemporaryDirectory directory;
  saveSafetensors(directory / "w.safetensors", someArrays());
  const auto output = python(directory, R"(
import json, struct
with open("w.safetensors", "rb") as file:
    data = file.read()
length, = struct.unpack("<Q", data[:8])
assert length % 8 == 0
header = json.loads(data[8:8 + length].decode("utf-8"))
values = data[8 + length:]
assert header.pop("__metadata__") == {"title": 'two "words"'}
def read(name):
    entry = header.pop(name)
    assert sorted(entry) == ["data_offsets", "dtype", "shape"], entry
    begin, end = entry["data_offsets"]
    size = {"F32": 4, "F64": 8, "I64": 8}[entry["dtype"]]
    letter = {"F32": "f", "F64": "d", "I64": "q"}[entry["dtype"]]
    assert begin % size == 0, "not aligned"
    count = 1
    for extent in entry["shape"]:
        count *= extent
    assert end - begin == count * size
    return entry["dtype"], entry["shape"], list(struct.unpack("<%d%s" % (count, letter), values[begin:end]))
assert sum(e["data_offsets"][1] - e["data_offsets"][0] for e in header.values()) == len(values)
single = lambda number: struct.unpack("<f", struct.pack("<f", number))[0]
assert read("a") == ("F32", [2, 3], [single(x) for x in (0.1, -2, 3e-40, 4, 5, 6)])
assert read("b.weight") == ("F64", [2], [0.1, -1e-310])
assert read("empty") == ("F32", [0, 4], [])
assert read("steps") == ("I64", [], [-2**63])
assert read('\u00fc "\\\n') == ("I64", [3], [1, -2, 3])
assert read("z") == ("F64", [], [7])
assert not header
print("all right")
)");
  if (output) CHECK(*output == "all right\n");
}

TEST_CASE("a file that Python's json and struct write by the format's description is read") {
  const TemporaryDirectory directory;
  const auto output = python(directory, R"(
import json, struct
header = json.dumps({
    "x": {"dtype": "F32", "shape": [2], "data_offsets": [20, 28]},
    "__metadata__": {"format": "pt"},
    "y": {"dtype": "I64", "shape": [1, 1], "data_offsets": [12, 20]},
    "z\u00fc": {"dtype": "F64", "shape": [], "data_offsets": [4, 12]},
    "first": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]},
}, indent=1).encode("ascii") + b"   "
with open("w.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header + struct.pack("<fdqff", 4.5, 0.1, -7, 1, 2))
)");
  if (!output) return;
  const auto loaded = loadSafetensors(directory / "w.safetensors");
  const decltype(loaded.arrays) expected{{"x", Tensor<float>({2}, {1, 2})},
                                         {"y", Integers{{1, 1}, {-7}}},
                                         {"zü", Tensor<double>::scalar(0.1)},
                                         {"first", Tensor<float>::scalar(4.5f)}};
  CHECK(loaded.arrays == expected);
  CHECK(loaded.metadata.at("format") == "pt");
}

TEST_CASE("all numbers of half precision are read as Python's struct reads them") {
  const TemporaryDirectory directory;
  const auto output = python(directory, R"(
import json, struct
bits = list(range(2**16))
finite = [b for b in bits if b & 0x7c00 != 0x7c00]
header = json.dumps({
    "half": {"dtype": "F16", "shape": [len(finite)], "data_offsets": [0, 2 * len(finite)]},
    "expected": {"dtype": "F32", "shape": [len(finite)], "data_offsets": [2 * len(finite), 6 * len(finite)]},
}).encode("ascii")
half = struct.pack("<%dH" % len(finite), *finite)
with open("w.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header + half)
    file.write(struct.pack("<%df" % len(finite), *struct.unpack("<%de" % len(finite), half)))
)");
  if (!output) return;
  const auto loaded = loadSafetensors(directory / "w.safetensors");
  CHECK(loaded.arrays.at("half") == loaded.arrays.at("expected"));
  CHECK(std::get<Tensor<float>>(loaded.arrays.at("half")).size() == 63488);
}

TEST_CASE("numbers of half precision and of bfloat16 become floats, also infinities and NaN") {
  const TemporaryDirectory directory;
  auto content = file(R"({"h":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]},)"
                      R"("b":{"dtype":"BF16","shape":[4],"data_offsets":[8,16]}})");
  // 1, -2^-24, infinity, NaN; then 3.140625, -0, -infinity, the least normal float
  content += std::string("\x00\x3c\x01\x80\x00\x7c\x01\x7e\x49\x40\x00\x80\x80\xff\x80\x00", 16);
  const auto loaded = loadSafetensors(directory.write("w.safetensors", content));
  const auto& half = std::get<Tensor<float>>(loaded.arrays.at("h"));
  CHECK(half.shape() == tapestry::Shape{2, 2});
  CHECK(half(0, 0) == 1);
  CHECK(half(0, 1) == -0x1p-24f);
  CHECK(half(1, 0) == std::numeric_limits<float>::infinity());
  CHECK(std::isnan(half(1, 1)));
  const auto& brain = std::get<Tensor<float>>(loaded.arrays.at("b"));
  CHECK(brain(0) == 3.140625f);
  CHECK((brain(1) == 0 && std::signbit(brain(1))));
  CHECK(brain(2) == -std::numeric_limits<float>::infinity());
  CHECK(brain(3) == std::numeric_limits<float>::min());
  CHECK(problem(content.substr(0, content.size() - 1)).starts_with("truncated, got "));
}

TEST_CASE("a safetensors file that is truncated, at any byte, or too long is refused") {
  const TemporaryDirectory directory;
  saveSafetensors(directory / "w.safetensors", someArrays());
  const auto whole = directory.read("w.safetensors");
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK(problem(whole.substr(0, size)).starts_with("truncated, got " + std::to_string(size) + " bytes, "));
  const auto size = std::to_string(whole.size());
  CHECK(problem(whole + "x") ==
        "too long, got " + std::to_string(whole.size() + 1) + " bytes, expected " + size);
  CHECK(problem(file("{}", 3)) == "too long, got 13 bytes, expected 10");
}

TEST_CASE("a header length beyond the file is refused before memory is taken") {
  CHECK(problem(std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10)) ==
        "truncated, got 10 bytes, expected at least 9223372036854775815");
  CHECK(problem(std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10)) ==
        "truncated, got 10 bytes, expected at least 2^64");
}

TEST_CASE("a header that is not JSON, or not that of the format, is refused") {
  CHECK(problem(file("")) == "the header is no JSON object, got \"\", expected { at its start");
  CHECK(problem(file("[1]")) == "the header is no JSON object, got \"[1]\", expected { at its start");
  CHECK(problem(file("{\"a\": 1,}")) ==
        "the header is not JSON, got a mistake at its byte 9 in \"{\"a\": 1,}\", expected JSON");
  CHECK(problem(file("{\"\xff\": 1}")).starts_with("the header is not JSON, got a mistake at its byte 3"));
  CHECK(problem(file("{} {}")).starts_with("the header is not JSON"));
  CHECK(problem(file("{\"a\":[[[[[")).starts_with("the header is too deep"));
  CHECK(problem(file("{\"a\": 1}")) == "\"a\": no array, got \"1\", expected dtype, shape and data_offsets");
  CHECK(problem(file(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4],"x":1}})", 4))
            .starts_with("\"a\": no array"));
  CHECK(problem(file(R"({"a":{"dtype":"F32","shape":2,"data_offsets":[0,8]}})", 8)) ==
        "\"a\": no list of numbers, got \"2\", expected one");
  for (const std::string extent : {"-1", "2.0", "1e0", "\"1\"", "null", "true", "99999999999999999999"})
    CHECK(problem(file(R"({"a":{"dtype":"F32","shape":[)" + extent + R"(],"data_offsets":[0,8]}})", 8))
              .starts_with("\"a\": no size, got "));
  CHECK(problem(file(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[4]}})", 4)) ==
        "\"a\": wrong data_offsets, got 1 numbers, expected 2");
  CHECK(problem(file(R"({"__metadata__":{"a":1}})")) == "metadata \"a\": no text, got \"1\", expected one");
  CHECK(problem(file(R"({"__metadata__":[]})")) == "no metadata, got \"[]\", expected an object of texts");
}

TEST_CASE("a name that occurs twice is refused") {
  CHECK(problem(file(std::string(onePair) + R"("a":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
                     16)) == "a name occurs twice in the header, got \"a\", expected each once");
  CHECK(problem(file(R"({"a":{"dtype":"F32","shape":[2],"shape":[2],"data_offsets":[0,8]}})", 8)) ==
        "a name occurs twice in the header, got \"shape\", expected each once");
  CHECK(problem(file(R"({"__metadata__":{"a":"1","b":"2","a":"3"}})")) ==
        "a name occurs twice in the header, got \"a\", expected each once");
}

TEST_CASE("objects or lists in those of an array are too deep, wherever they are") {
  const std::string deep =
      "the header is too deep, got objects or lists in those of an array, expected numbers there";
  CHECK(problem(file(std::string(onePair) + R"("b":{"shape":[[]]}})")) == deep);
  CHECK(problem(file(R"({"a":{"b":{"c":{}}}})")) == deep);
  CHECK(problem(file(R"({"a":[[{"b":)")) == deep);
  CHECK(problem(file(R"({"a":[[1]]})")).starts_with("\"a\": no array"));
}

TEST_CASE("the time to save and to load arrays grows with their number, not with its square") {
  const TemporaryDirectory directory;
  struct Times {
    double save, load;
  };
  const auto timesOf = [&](int count) {
    NamedArrays arrays;
    for (int i = 0; i < count; ++i)
      arrays.arrays.emplace("layer." + std::to_string(i), Tensor<float>::scalar(1));
    const auto start = std::clock();
    saveSafetensors(directory / "w.safetensors", arrays);
    const auto saved = std::clock();
    CHECK(loadSafetensors(directory / "w.safetensors").arrays == arrays.arrays);
    return Times{static_cast<double>(saved - start), static_cast<double>(std::clock() - saved)};
  };
  // In proportion to the number a time grows to the 16-fold, in proportion to its square to the 256-fold. A
  // time of the processor that another program has disturbed is taken again.
  double save = 256, load = 256;
  for (int attempt = 0; attempt < 4 && (save > 48 || load > 48); ++attempt) {
    const Times few = timesOf(1'000), many = timesOf(16'000);
    save = std::min(save, many.save / few.save);
    load = std::min(load, many.load / few.load);
  }
  CHECK(save <= 48);
  CHECK(load <= 48);
}

TEST_CASE("bytes that belong to none or to two arrays, or do not fit the shape, are refused") {
  const auto both = [](const std::string& offsets) {
    return problem(file(
        std::string(onePair) + R"("b":{"dtype":"F32","shape":[2],"data_offsets":)" + offsets + "}}", 16));
  };
  CHECK(both("[8,16]") == "none");
  CHECK(both("[4,12]") == "\"b\": overlaps another, got bytes from 4, expected from 8");
  CHECK(both("[12,20]") == "\"b\": follows a gap, got bytes from 12, expected from 8");
  CHECK(both("[8,12]") == "\"b\": wrong data_offsets, got [8, 12], expected 8 bytes for [2] of F32");
  CHECK(both("[16,8]") == "\"b\": wrong data_offsets, got [16, 8], expected 8 bytes for [2] of F32");
  CHECK(both("[8,18446744073709551615]").starts_with("\"b\": wrong data_offsets"));
}

TEST_CASE("a shape that memory cannot hold is refused, and so are types that tensors do not have") {
  const auto one = [](const std::string& type, const std::string& shape, const std::string& offsets) {
    return problem(file(
        R"({"a":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}", 8));
  };
  CHECK(one("F32", "[4294967296,4294967296]", "[0,0]") ==
        "\"a\": too large a shape, got [4294967296, 4294967296], expected a size that memory can hold");
  CHECK(one("F32", "[9223372036854775807,2]", "[0,8]").starts_with("\"a\": too large a shape"));
  CHECK(one("F32", "[1000000,1000000]", "[0,4000000000000]")
            .starts_with("truncated, got 96 bytes, expected at least 4000000000088"));
  CHECK(one("F64", "[1,1,1,1,1,1,1,1,1]", "[0,8]") ==
        "\"a\": too many axes, got [1, 1, 1, 1, 1, 1, 1, 1, 1], expected at most 8");
  CHECK(one("I32", "[2]", "[0,8]") ==
        "\"a\": values of an unknown type, got \"I32\", expected F16, BF16, F32, F64 or I64");
  CHECK(one("F16", "[2]", "[0,8]") ==
        "\"a\": wrong data_offsets, got [0, 8], expected 4 bytes for [2] of F16");
}

TEST_CASE("a file with any one byte changed is read or refused with a FileError") {
  const TemporaryDirectory directory;
  saveSafetensors(directory / "w.safetensors", someArrays());
  const auto whole = directory.read("w.safetensors");
  std::uint64_t length = 0;
  std::memcpy(&length, whole.data(), 8);
  int refused = 0;
  for (std::size_t at = 0; at < 8 + length; ++at)
    for (const char change : {'\x01', '\x10', '\x80'}) {
      auto damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      try {
        (void)loadSafetensors(directory.write("damaged", damaged));
      } catch (const tapestry::FileError&) {
        ++refused;
      }
    }
  CHECK(refused > 500);  // what changes a name or a text is read
}

TEST_CASE("names that the format cannot hold are refused before anything is written") {
  const TemporaryDirectory directory;
  const auto save = [&](const NamedArrays& arrays) {
    return directory.errorOf([&] { saveSafetensors(directory / "w.safetensors", arrays); });
  };
  CHECK(save({{{"__metadata__", Integers{{}, {1}}}}, {}}) ==
        "tapestry::saveSafetensors: a name is taken, got \"__metadata__\", expected another");
  CHECK(save({{{"\xff", Integers{{}, {1}}}}, {}})
            .starts_with("tapestry::saveSafetensors: a text is not UTF-8, got "));
  CHECK(save({{{"a", Integers{{2}, {1}}}}, {}}) ==
        "tapestry::saveSafetensors: \"a\": wrong number of values, got 1, expected 2 for [2]");
  CHECK(directory.files() == 0);
}
