#include <tapestry/deeplearning/data/read_csv.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "support/error_text.hpp"
#include "support/system/input_bytes.hpp"

namespace {

using namespace tapestry::test;
using tapestry::Csv;
using tapestry::CsvOptions;
using tapestry::CsvTexts;
using tapestry::readCsv;
using Names = std::vector<std::string>;
using Values = std::vector<double>;

Csv csv(const std::string& text, CsvOptions options = {}) {
  const TemporaryDirectory directory;
  return readCsv(directory.write("t.csv", text), options);
}

std::string problem(const std::string& text, CsvOptions options = {}) {
  const TemporaryDirectory directory;
  const auto error = directory.errorOf([&] { (void)readCsv(directory.write("t.csv", text), options); });
  const std::string start = "tapestry::readCsv: t.csv: ";
  return error.starts_with(start) ? error.substr(start.size()) : error;
}

}  // namespace

TEST_CASE("a table of numbers is read row by row") {
  const auto table = csv("1,2.5,-3e2\n4,.5,+6\n");
  CHECK(table.columns == 3);
  CHECK(table.rows() == 2);
  CHECK(table.names.empty());
  CHECK(table.values == Values{1, 2.5, -300, 4, 0.5, 6});
  CHECK(table.row(1)[0] == 4);
  CHECK(table.row(1).size() == 3);
}

TEST_CASE("a header names the columns, and may be quoted") {
  const auto table = csv("x,\"the \"\"y\"\", or\nso\", z \n1,2,3", {.header = true});
  CHECK(table.names == Names{"x", "the \"y\", or\nso", " z "});
  CHECK(table.values == Values{1, 2, 3});
  CHECK(csv("x,y\n", {.header = true}).rows() == 0);
  CHECK(csv("x,y\n", {.header = true}).columns == 2);
}

TEST_CASE("line ends of all systems, spaces, quotes, empty lines and a byte order mark are passed over") {
  CHECK(csv("\xef\xbb\xbf"
            "1,2\r\n\r\n 3 ,\t4\r5,\"6\"\n\n\n")
            .values == Values{1, 2, 3, 4, 5, 6});
  CHECK(csv("1;2\n3;4", {.separator = ';'}).values == Values{1, 2, 3, 4});
  CHECK(csv("1\t2\n", {.separator = '\t'}).values == Values{1, 2});
  CHECK(csv("").rows() == 0);
  CHECK(csv("\n\n").rows() == 0);
  const auto special = csv("nan,inf,-inf,-0");
  CHECK(std::isnan(special.values[0]));
  CHECK(special.values[1] == HUGE_VAL);
  CHECK(std::signbit(special.values[3]));
}

TEST_CASE("a gzipped table is read as a plain one") {
  const TemporaryDirectory directory;
  CHECK(readCsv(written(directory, "t.csv.gz", gzipped({'1', ',', '2'}))).values == Values{1, 2});
}

TEST_CASE("a number that is too close to 0 for a double is 0, or the least that a double can hold") {
  CHECK(csv("1e-400,-1e-99999,4e-320,0.5e-400").values == Values{0, 0, 4e-320, 0});
}

TEST_CASE("a field that is no number is reported with its line and field") {
  CHECK(problem("1,2\n3,four\n") == "line 2, field 2: no number, got \"four\", expected one such as -1.5e3");
  CHECK(problem("x,y\n\n1,\n", {.header = true}) ==
        "line 3, field 2: no number, got \"\", expected one such as -1.5e3");
  CHECK(problem("\"a\nb\",y\n1,2x", {.header = true}) ==
        "line 3, field 2: no number, got \"2x\", expected one such as -1.5e3");
  CHECK(problem("1\r\n2\r\n0x10") == "line 3, field 1: no number, got \"0x10\", expected one such as -1.5e3");
  for (const std::string text : {"+-1", "1 2", "--1", "e5", "x", "1,", ","})
    CHECK(problem(text).find(": no number, got ") != std::string::npos);
  CHECK(problem("1e999") ==
        "line 1, field 1: too large a number, got \"1e999\", expected what a double can hold");
  CHECK(problem("-1e999").find(": too large a number, got ") != std::string::npos);
}

TEST_CASE("a row that is longer or shorter than the first is refused") {
  CHECK(problem("1,2\n3\n") ==
        "line 2: a row of another length, got 1 fields, expected 2 as in the first row");
  CHECK(problem("x,y\n1,2,3\n", {.header = true}) ==
        "line 2: a row of another length, got 3 fields, expected 2 as in the first row");
}

TEST_CASE("quotes that do not fit are refused") {
  CHECK(problem("1,\"2\n3,4\n") ==
        "line 1, field 2: wrong quotes, got a quote without its end, expected a closing quote");
  CHECK(problem("1,\"2\"3,4\n") ==
        "line 1, field 2: wrong quotes, got text after the closing quote, expected a separator");
  CHECK(problem("1,2\"\n") == "line 1, field 2: no number, got \"2\"\", expected one such as -1.5e3");
}

TEST_CASE("a missing header and a missing file are errors") {
  CHECK(problem("", {.header = true}) == "no header, got an empty file, expected a row of names");
  const TemporaryDirectory directory;
  CHECK(directory.errorOf([&] { (void)readCsv(directory / "t.csv"); }) ==
        "tapestry::readCsv: t.csv: no such file, expected a readable file");
}

TEST_CASE("columns are tensors, chosen by name or by number") {
  using tapestry::Indices;
  using tapestry::Shape;
  using tapestry::Tensor;
  const auto table = csv("width,height,class\n1,2,0\n3,4.5,-2\n", {.header = true});
  CHECK(table.tensor() == Tensor<float>({2, 3}, {1, 2, 0, 3, 4.5f, -2}));
  CHECK(table.tensor({"height", "width"}) == Tensor<float>({2, 2}, {2, 1, 4.5f, 3}));
  CHECK(table.tensor<double>({1, "height"}) == Tensor<double>({2, 2}, {2, 2, 4.5, 4.5}));
  CHECK(table.column("width") == Tensor<float>({2}, {1, 3}));
  CHECK(table.indices("class") == Indices{0, -2});
  CHECK(csv("").tensor().shape() == Shape{0, 0});
  CHECK(csv("a,b\n", {.header = true}).column<double>("b").shape() == Shape{0});
}

TEST_CASE("a column that the table lacks, and numbers that are not whole, are errors") {
  const auto table = csv("x,y\n1,2.5\n", {.header = true});
  CHECK(errorOf([&] { (void)table.column("z"); }) ==
        "tapestry::Csv: no such column, got \"z\", expected one of \"x\", \"y\"");
  CHECK(errorOf([&] { (void)table.column(2); }) ==
        "tapestry::Csv: no such column, got number 2, expected one of 2 columns");
  CHECK(errorOf([&] { (void)table.column(-1); }) ==
        "tapestry::Csv: no such column, got number -1, expected one of 2 columns");
  CHECK(errorOf([&] { (void)csv("1").tensor({"x"}); }) ==
        "tapestry::Csv: no such column, got \"x\", expected a number, since the table has no header");
  CHECK(errorOf([&] { (void)table.indices("y"); }) ==
        "tapestry::Csv: no whole number, got 2.500000 in row 0 of column 1, expected one such as 3");
  CHECK(errorOf([&] { (void)csv("nan").indices(0); }).starts_with("tapestry::Csv: no whole number, got nan"));
}

TEST_CASE("a column of texts becomes numbers of classes, and keeps their names") {
  const auto table = csv("size,species\n1,wood lily\n2,\"lily, \"\"so\"\"\"\n3,wood lily\n4, x \n5,6\n",
                         {.header = true, .texts = {"species"}});
  CHECK(table.values == Values{1, 0, 2, 1, 3, 0, 4, 2, 5, 3});
  CHECK(table.classes("species") == Names{"wood lily", "lily, \"so\"", " x ", "6"});
  CHECK(table.labels("species") == std::vector<std::uint32_t>{0, 1, 0, 2, 3});
  const auto bare = csv("a,1,x\nb,2,x\n", {.texts = {2, 0}});
  CHECK(bare.values == Values{0, 1, 0, 1, 2, 0});
  CHECK(bare.classes(0) == Names{"a", "b"});
  CHECK(bare.classes(2) == Names{"x"});
  CHECK(csv("x,kind\n", {.header = true, .texts = {"kind"}}).classes("kind").empty());
}

TEST_CASE("classes that are given number the names, so that two tables have the same numbers") {
  const Names species{"sand", "meadow", ""};
  const CsvOptions options{.header = true, .texts = {{"species", species}}};
  CHECK(csv("species\nmeadow\n", options).values == Values{1});
  CHECK(csv("x,species\n1,\n2,sand\n", options).labels("species") == std::vector<std::uint32_t>{2, 0});
  CHECK(csv("species\nmeadow\n", options).classes("species") == species);
  CHECK(problem("species\nsand\nwood\n", options) ==
        "line 3, field 1: no such class, got \"wood\", expected one of \"sand\", \"meadow\", \"\"");
  Names many(21);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = std::to_string(i);
  CHECK(problem("1,21", {.texts = {{1, many}}}) ==
        "line 1, field 2: no such class, got \"21\", expected one of 21 classes");
}

TEST_CASE("a class without a name, and columns of texts that do not fit the table, are errors") {
  CHECK(problem("1,\n", {.texts = {1}}) == "line 1, field 2: no such class, got \"\", expected a name");
  CHECK(problem("a,1\nb\n", {.texts = {0}}) ==
        "line 2: a row of another length, got 1 fields, expected 2 as in the first row");
  const auto read = [](const std::string& text, std::vector<CsvTexts> texts) {
    return errorOf([&] { (void)csv(text, {.texts = std::move(texts)}); });
  };
  CHECK(read("1,a\n", {2}) == "tapestry::Csv: no such column, got number 2, expected one of 2 columns");
  CHECK(read("1,a\n", {1, 1}) ==
        "tapestry::readCsv: a column of texts occurs twice, got number 1, expected each once");
  CHECK(read("1,a\n", {{1, Names{"b", "a", "b"}}}) ==
        "tapestry::readCsv: a class occurs twice, got \"b\", expected each once");
  CHECK(
      errorOf([&] { (void)csv("1,a\n", {.texts = {1}}).classes(0); }) ==
      "tapestry::Csv: no classes, got number 0, a column of numbers, expected a column of CsvOptions::texts");
  CHECK(errorOf([&] { (void)csv("0\n-1\n").labels(0); }) ==
        "tapestry::Csv: no label, got -1 in row 1 of column 0, expected the number of a class");
}

TEST_CASE("a part of a table has some of its rows, and all of its classes") {
  const auto table = csv("x,kind\n1,a\n2,b\n3,a\n", {.header = true, .texts = {"kind"}});
  const auto part = table.part(1, 3);
  CHECK(part.values == Values{2, 1, 3, 0});
  CHECK(part.column("x") == tapestry::Tensor<float>({2}, {2, 3}));
  CHECK(part.classes("kind") == Names{"a", "b"});
  CHECK(table.part(3, 3).rows() == 0);
  CHECK(errorOf([&] { (void)table.part(2, 4); }) ==
        "tapestry::Csv: no such rows, got 2 to 4, expected a part of 0 to 3");
  CHECK(errorOf([&] { (void)table.part(2, 1); }) ==
        "tapestry::Csv: no such rows, got 2 to 1, expected a part of 0 to 3");
}
