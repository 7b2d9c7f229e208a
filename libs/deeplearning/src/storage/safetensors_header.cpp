#include "safetensors_file.hpp"

#include <set>
#include <stdexcept>

#include "json_library.hpp"
#include "tapestry/tensor/storage/shape_in_file.hpp"

namespace tapestry {

namespace {

using nlohmann::json;

constexpr const char* metadataKey = "__metadata__";

/// Parses the text as JSON. Without the checks, the library would take the last of equal keys, and any depth.
json parse(const PlainFile& file, std::string_view text) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto check = [&](int depth, json::parse_event_t event, json& value) {
    using Event = json::parse_event_t;
    if (depth > 2 && (event == Event::object_start || event == Event::array_start))
      file.fail("the header is too deep, got objects or lists in those of an array, expected numbers there");
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
      file.fail("a name occurs twice in the header, got " + excerpt(value.get<std::string>()) +
                ", expected each once");
    return true;
  };
  if (!text.starts_with('{'))
    file.fail("the header is no JSON object, got " + excerpt(text) + ", expected { at its start");
  try {
    return json::parse(text, check);
  } catch (const json::parse_error& error) {
    file.fail("the header is not JSON, got a mistake at its byte " + std::to_string(error.byte) + " in " +
              excerpt(text) + ", expected JSON");
  } catch (const json::exception& error) {
    file.fail("the header cannot be read, got " + excerpt(error.what()) + ", expected numbers in range");
  }
}

std::vector<std::size_t> wholeNumbers(const PlainFile& file, const std::string& name, const json& list) {
  if (!list.is_array())
    file.fail(excerpt(name) + ": no list of numbers, got " + excerpt(list.dump()) + ", expected one");
  std::vector<std::size_t> numbers;
  for (const json& number : list) {
    if (!number.is_number_unsigned())
      file.fail(excerpt(name) + ": no size, got " + excerpt(number.dump()) +
                ", expected a whole number below 2^64");
    numbers.push_back(number.get<std::size_t>());
  }
  return numbers;
}

SafetensorsHeader::Entry entryOf(const PlainFile& file, const std::string& name, const json& value) {
  if (!value.is_object() || value.size() != 3 || !value.contains("dtype") || !value.contains("shape") ||
      !value.contains("data_offsets") || !value["dtype"].is_string())
    file.fail(excerpt(name) + ": no array, got " + excerpt(value.dump()) +
              ", expected dtype, shape and data_offsets");
  const auto offsets = wholeNumbers(file, name, value["data_offsets"]);
  if (offsets.size() != 2)
    file.fail(excerpt(name) + ": wrong data_offsets, got " + std::to_string(offsets.size()) +
              " numbers, expected 2");
  return {name, value["dtype"].get<std::string>(), wholeNumbers(file, name, value["shape"]), offsets[0],
          offsets[1]};
}

Notes metadataOf(const PlainFile& file, const json& value) {
  Notes metadata;
  if (!value.is_object())
    file.fail("no metadata, got " + excerpt(value.dump()) + ", expected an object of texts");
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string())
      file.fail("metadata " + excerpt(key) + ": no text, got " + excerpt(text.dump()) + ", expected one");
    metadata.emplace(key, text.get<std::string>());
  }
  return metadata;
}

}  // namespace

SafetensorsHeader parseSafetensorsHeader(const PlainFile& file, std::string_view text) {
  SafetensorsHeader header;
  const json all = parse(file, text);
  for (const auto& [name, value] : all.items())
    if (name == metadataKey)
      header.metadata = metadataOf(file, value);
    else
      header.entries.push_back(entryOf(file, name, value));
  return header;
}

std::string formatSafetensorsHeader(const SafetensorsHeader& header, const std::string& operation) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  if (!header.metadata.empty()) all[metadataKey] = header.metadata;
  for (const auto& entry : header.entries) {
    if (entry.name == metadataKey)
      throw std::invalid_argument("tapestry::" + operation +
                                  ": a name is taken, got \"__metadata__\", expected another");
    all[entry.name] = {
        {"dtype", entry.type}, {"shape", entry.shape}, {"data_offsets", {entry.begin, entry.end}}};
  }
  try {
    return all.dump();
  } catch (const nlohmann::json::type_error& error) {
    throw std::invalid_argument("tapestry::" + operation + ": a text is not UTF-8, got " +
                                excerpt(error.what()) + ", expected UTF-8");
  }
}

}  // namespace tapestry
