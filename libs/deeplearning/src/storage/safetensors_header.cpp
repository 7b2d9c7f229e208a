#include "safetensors_file.hpp"

#include <set>
#include <stdexcept>

#include "json_library.hpp"
#include "tapestry/tensor/storage/shape_in_file.hpp"

namespace tapestry {

namespace {

using nlohmann::json;

constexpr const char* metadataKey = "__metadata__";

/// Refuses equal keys, of which the library would take the last, and objects and lists that are too deep.
class HeaderCheck final : public nlohmann::json_sax<json> {
 public:
  explicit HeaderCheck(const PlainFile& file) : file_(file) {}

  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return open();
  }
  bool end_object() override {
    keys_.pop_back();
    return close();
  }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    if (!keys_.back().insert(name).second)
      file_.fail("a name occurs twice in the header, got " + excerpt(name) + ", expected each once");
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(json::number_integer_t) override { return true; }
  bool number_unsigned(json::number_unsigned_t) override { return true; }
  bool number_float(json::number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(json::binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override { return false; }

 private:
  bool open() {
    if (++depth_ > 3)
      file_.fail("the header is too deep, got objects or lists in those of an array, expected numbers there");
    return true;
  }
  bool close() {
    --depth_;
    return true;
  }

  const PlainFile& file_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
  int depth_ = 0;
};

/// Parses the text as JSON. The text is read twice, since the time of json::parse with a callback grows with
/// the square of the number of arrays.
json parse(const PlainFile& file, std::string_view text) {
  if (!text.starts_with('{'))
    file.fail("the header is no JSON object, got " + excerpt(text) + ", expected { at its start");
  HeaderCheck check(file);
  try {
    json::sax_parse(text, &check);  // json::parse reports the mistakes at which this ends
    return json::parse(text);
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
  auto& members = all.get_ref<nlohmann::ordered_json::object_t&>();  // all[name] would search them all
  for (const auto& entry : header.entries) {
    if (entry.name == metadataKey)
      throw std::invalid_argument("tapestry::" + operation +
                                  ": a name is taken, got \"__metadata__\", expected another");
    members.emplace_back(entry.name, nlohmann::ordered_json{{"dtype", entry.type},
                                                            {"shape", entry.shape},
                                                            {"data_offsets", {entry.begin, entry.end}}});
  }
  try {
    return all.dump();
  } catch (const nlohmann::json::type_error& error) {
    throw std::invalid_argument("tapestry::" + operation + ": a text is not UTF-8, got " +
                                excerpt(error.what()) + ", expected UTF-8");
  }
}

}  // namespace tapestry
