#include "safetensors_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <tapestry/deeplearning/storage/safetensors.hpp>
#include <tapestry/tensor/storage/atomic_file.hpp>
#include <tapestry/tensor/storage/half_precision.hpp>

#include "tapestry/tensor/storage/plain_file.hpp"
#include "tapestry/tensor/storage/shape_in_file.hpp"

namespace tapestry {

namespace {

static_assert(std::endian::native == std::endian::little, "the values are written as they lie in memory");

using Entry = SafetensorsHeader::Entry;

struct Written {
  const std::string* name;
  std::string_view type;
  const Shape* shape;
  std::span<const std::byte> bytes;
};

template <class T>
Written writtenAs(const std::string& name, const Tensor<T>& tensor) {
  return {&name, sizeof(T) == 4 ? "F32" : "F64", &tensor.shape(), std::as_bytes(tensor.values())};
}
Written writtenAs(const std::string& name, const Integers& integers) {
  return {&name, "I64", &integers.shape, std::as_bytes(std::span(integers.values))};
}

/// Returns arrays with elements of eight bytes first, so that all elements are aligned in a mapped file.
std::vector<Written> inOrder(const NamedArrays& arrays, const std::string& operation) {
  std::vector<Written> all;
  for (const auto& [name, array] : arrays.arrays)
    all.push_back(std::visit([&](const auto& typed) { return writtenAs(name, typed); }, array));
  for (const Written& each : all)
    if (each.type == "I64" && each.bytes.size() != each.shape->size() * 8)
      throw std::invalid_argument("tapestry::" + operation + ": " + excerpt(*each.name) +
                                  ": wrong number of values, got " + std::to_string(each.bytes.size() / 8) +
                                  ", expected " + std::to_string(each.shape->size()) + " for " +
                                  toString(*each.shape));
  std::ranges::stable_partition(all, [](const Written& each) { return each.type != "F32"; });
  return all;
}

std::string readHeaderText(PlainFile& file) {
  std::uint64_t length = 0;
  file.readAll(std::as_writable_bytes(std::span(&length, 1)));
  file.expectBytes(length);
  std::string text(length, '\0');
  file.readAll(std::as_writable_bytes(std::span(text)));
  return text;
}

/// An array as described in the header; its number of bytes has been found to fit its shape.
struct Claimed {
  Entry entry;
  Shape shape;
};

/// The size of an element of a type of the format, or 0 for a type that is not read.
std::size_t sizeOf(std::string_view type) {
  if (type == "F16" || type == "BF16") return 2;
  if (type == "F32") return 4;
  return type == "F64" || type == "I64" ? 8 : 0;
}

Claimed checked(const PlainFile& file, Entry entry) {
  const std::string of = excerpt(entry.name) + ": ";
  const std::size_t size = sizeOf(entry.type);
  if (size == 0)
    file.fail(of + "values of an unknown type, got " + excerpt(entry.type) +
              ", expected F16, BF16, F32, F64 or I64");
  const auto [shape, bytes] = shapeInFile(file, of, entry.shape, size);
  if (entry.begin > entry.end || entry.end - entry.begin != bytes)
    file.fail(of + "wrong data_offsets, got [" + std::to_string(entry.begin) + ", " +
              std::to_string(entry.end) + "], expected " + std::to_string(bytes) + " bytes for " +
              toString(shape) + " of " + entry.type);
  return {std::move(entry), shape};
}

/// Returns the arrays in the order of their bytes, which must cover the rest of the file without gap or
/// overlap.
std::vector<Claimed> checked(const PlainFile& file, std::vector<Entry> entries) {
  std::ranges::sort(entries, {}, [](const Entry& entry) { return std::tie(entry.begin, entry.end); });
  std::vector<Claimed> all;
  std::uint64_t end = 0;
  for (Entry& entry : entries) {
    all.push_back(checked(file, std::move(entry)));
    const Entry& here = all.back().entry;
    if (here.begin != end)
      file.fail(excerpt(here.name) + ": " + (here.begin < end ? "overlaps another" : "follows a gap") +
                ", got bytes from " + std::to_string(here.begin) + ", expected from " + std::to_string(end));
    end = here.end;
  }
  file.expectLastBytes(end);
  return all;
}

template <class T>
NamedArray readTensor(PlainFile& file, const Shape& shape) {
  auto tensor = Tensor<T>::uninitialized(shape);
  file.readAll(std::as_writable_bytes(std::span(tensor.exclusiveData(), tensor.size())));
  return tensor;
}

/// Reads numbers of 16 bits in pieces, so that they need no memory beside the tensor.
NamedArray readHalves(PlainFile& file, const Shape& shape, float (*widen)(std::uint16_t) noexcept) {
  auto tensor = Tensor<float>::uninitialized(shape);
  float* out = tensor.exclusiveData();
  std::array<std::uint16_t, 4096> piece;
  for (std::size_t left = tensor.size(); left > 0;) {
    const auto now = std::span(piece).first(std::min(left, piece.size()));
    file.readAll(std::as_writable_bytes(now));
    out = std::ranges::transform(now, out, widen).out;
    left -= now.size();
  }
  return tensor;
}

NamedArray readArray(PlainFile& file, const Claimed& claimed) {
  if (claimed.entry.type == "F16") return readHalves(file, claimed.shape, fromHalf);
  if (claimed.entry.type == "BF16") return readHalves(file, claimed.shape, fromBfloat16);
  if (claimed.entry.type == "F32") return readTensor<float>(file, claimed.shape);
  if (claimed.entry.type == "F64") return readTensor<double>(file, claimed.shape);
  Integers integers{claimed.shape, std::vector<std::int64_t>(claimed.shape.size())};
  file.readAll(std::as_writable_bytes(std::span(integers.values)));
  return integers;
}

}  // namespace

void writeSafetensors(const std::filesystem::path& path, const NamedArrays& arrays,
                      const std::string& operation) {
  const auto all = inOrder(arrays, operation);
  SafetensorsHeader header{{}, arrays.metadata};
  std::uint64_t end = 0;
  for (const Written& each : all) {
    const auto begin = std::exchange(end, end + each.bytes.size());
    header.entries.push_back(
        {*each.name, std::string(each.type), {each.shape->begin(), each.shape->end()}, begin, end});
  }
  std::string text = formatSafetensorsHeader(header, operation);
  text.append((8 - text.size() % 8) % 8, ' ');
  const std::uint64_t length = text.size();
  AtomicFile file(path, operation);
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(std::as_bytes(std::span(std::as_const(text))));
  for (const Written& each : all) file.write(each.bytes);
  file.commit();
}

NamedArrays readSafetensors(const std::filesystem::path& path, const std::string& operation) {
  PlainFile file(path, operation);
  auto header = parseSafetensorsHeader(file, readHeaderText(file));
  NamedArrays arrays{{}, std::move(header.metadata)};
  for (const Claimed& claimed : checked(file, std::move(header.entries)))
    arrays.arrays.emplace(claimed.entry.name, readArray(file, claimed));
  return arrays;
}

Notes readMetadata(const std::filesystem::path& path, const std::string& operation) {
  PlainFile file(path, operation);
  return parseSafetensorsHeader(file, readHeaderText(file)).metadata;
}

void saveSafetensors(const std::filesystem::path& path, const NamedArrays& arrays) {
  writeSafetensors(path, arrays, "saveSafetensors");
}

NamedArrays loadSafetensors(const std::filesystem::path& path) {
  return readSafetensors(path, "loadSafetensors");
}

}  // namespace tapestry
