#include <tapestry/deeplearning/data/input_file.hpp>
#include <tapestry/deeplearning/data/read_csv.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "csv_fields.hpp"
#include "tapestry/tensor/storage/shape_in_file.hpp"

namespace tapestry {

namespace {

std::string placeOf(const CsvFields::Field& field) {
  return "line " + std::to_string(field.line) + ", field " + std::to_string(field.column) + ": ";
}

CsvFields::Field nextField(const InputFile& file, CsvFields& fields) {
  auto field = fields.next();
  if (field.problem) file.fail(placeOf(field) + "wrong quotes, got " + field.problem);
  return field;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Returns the number in the field, 0 if it is too close to 0 for a double.
double numberOf(const InputFile& file, const CsvFields::Field& field) {
  auto text = trimmed(field.text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = readReal(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range && number != 0)
    file.fail(placeOf(field) + "too large a number, got " + excerpt(field.text) +
              ", expected what a double can hold");
  if (error == std::errc::invalid_argument || end != text.data() + text.size())
    file.fail(placeOf(field) + "no number, got " + excerpt(field.text) + ", expected one such as -1.5e3");
  return number;
}

/// Returns the number of the class that the field names.
double classOf(const InputFile& file, const CsvFields::Field& field, CsvClasses& classes) {
  if (const auto number = classes.numberOf(field.text)) return static_cast<double>(*number);
  file.fail(placeOf(field) + "no such class, got " + excerpt(field.text) + ", expected " +
            classes.expected());
}

/// Calls f(field) for each field of the row; returns the number of fields.
std::size_t forEachField(const InputFile& file, CsvFields& fields, const auto& f) {
  for (std::size_t count = 1;; ++count) {
    const auto field = nextField(file, fields);
    f(field);
    if (field.last) return count;
  }
}

/// Returns the classes of the columns that `texts` name. A table without a header has as many columns as its
/// first row.
std::map<std::size_t, CsvClasses> columnsOfTexts(const InputFile& file, CsvFields fields, Csv& table,
                                                 const std::vector<CsvTexts>& texts) {
  if (table.names.empty() && !texts.empty() && fields.nextRow())
    table.columns = forEachField(file, fields, [](const auto&) {});
  std::map<std::size_t, CsvClasses> columns;
  for (const auto& text : texts) {
    const auto number = table.numberOf(text.column);
    if (!columns.try_emplace(number, text.classes).second)
      throw std::invalid_argument("tapestry::readCsv: a column of texts occurs twice, got number " +
                                  std::to_string(number) + ", expected each once");
  }
  return columns;
}

}  // namespace

Csv readCsv(const std::filesystem::path& path, CsvOptions options) {
  InputFile file(path, "readCsv");
  const std::string text = file.takeText();
  CsvFields fields(text, options.separator);
  Csv table;
  if (options.header) {
    if (!fields.nextRow()) file.fail("no header, got an empty file, expected a row of names");
    table.columns = forEachField(file, fields, [&](const auto& field) { table.names.push_back(field.text); });
  }
  auto texts = columnsOfTexts(file, fields, table, options.texts);
  while (fields.nextRow()) {
    std::size_t line = 0;
    const auto count = forEachField(file, fields, [&](const auto& field) {
      line = field.line;
      const auto classes = texts.find(field.column - 1);
      table.values.push_back(classes == texts.end() ? numberOf(file, field)
                                                    : classOf(file, field, classes->second));
    });
    if (table.columns == 0) table.columns = count;
    if (count != table.columns)
      file.fail("line " + std::to_string(line) + ": a row of another length, got " + std::to_string(count) +
                " fields, expected " + std::to_string(table.columns) + " as in the first row");
  }
  for (const auto& [column, classes] : texts) table.texts.emplace(column, classes.names());
  return table;
}

}  // namespace tapestry
