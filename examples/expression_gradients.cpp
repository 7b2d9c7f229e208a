// Evaluates and differentiates an expression in variables: the program that toy_computational_graph was
// written for.
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/deeplearning.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "expression_gradients/derive.hpp"
#include "expression_gradients/expression.hpp"
#include "expression_gradients/read_real.hpp"
#include "support/options.hpp"
#include "support/text.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples;

/// The command line. An expression that begins with a minus gets a space before it, so that it is not taken
/// for an option. An option is -h, or begins with -- and two letters; the word after an option is its value.
std::vector<std::string> readCommandLine(int argc, const char* const* argv) {
  std::vector<std::string> words(argv, argv + argc);
  const auto isLetter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto isOption = [&](const std::string& word) {
    return word == "-h" ||
           (word.starts_with("--") && word.size() > 3 && isLetter(word[2]) && isLetter(word[3]));
  };
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i)
    if (words[i].starts_with('-') && !isOption(words[i]) && !isOption(words[i - 1]))
      words[i].insert(0, 1, ' ');
  return words;
}

/// x=10 and y=2 as a map; where one is given twice, the last one counts.
std::map<std::string, double> readVariables(const std::vector<std::string>& assignments) {
  std::map<std::string, double> variables;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    const char* const end = assignment.data() + assignment.size();
    double value = 0;
    std::from_chars_result read{};
    if (equals != std::string::npos) read = examples::readReal(assignment.data() + equals + 1, end, value);
    if (equals == 0 || read.ptr != end || read.ec != std::errc() || !std::isfinite(value))
      throw InputError(assignment, "no value of a variable, expected NAME=NUMBER, such as x=10");
    variables[assignment.substr(0, equals)] = value;
  }
  return variables;
}

void requireUse(const Expression& expression, const std::map<std::string, double>& variables) {
  for (const auto& [name, value] : variables)
    if (std::ranges::none_of(expression.nodes, [&](const Expression::Node& node) {
          return node.kind == Expression::Kind::variable && node.name == name;
        }))
      throw InputError(name, "not in the expression, got a value for it, expected a variable");
}

/// The graph in Graphviz's language, from the variables up to the result.
void writeDot(std::ostream& out, const Expression& expression, const std::vector<Derived>& derived) {
  out << "digraph expression {\n  rankdir=BT; ordering=in; node [shape=box, fontname=\"sans-serif\"];\n";
  for (std::size_t i = 0; i < derived.size(); ++i) {
    const auto& node = expression.nodes[i];
    out << "  n" << i << " [label=\"" << node.name;
    if (node.kind != Expression::Kind::number) out << "\\nvalue " << shortest(derived[i].value);
    if (derived[i].gradient) out << "\\ngradient " << shortest(*derived[i].gradient);
    out << "\"];\n";
    for (const auto& operand : node.operands) out << "  n" << operand.node << " -> n" << i << ";\n";
  }
  out << "}\n";
}

}  // namespace

int main(int argc, char** argv) {
  std::string text;
  std::vector<std::string> assignments;
  std::optional<std::filesystem::path> dot;
  Options options("expression_gradients",
                  "Evaluates an expression, and its derivatives with respect to its variables.");
  options.unused("--seed", "nothing is drawn");
  options.path("--dot", dot, "file for the graph, in Graphviz's language, with values and gradients");
  options.app()
      .add_option("expression", text,
                  "such as \"x + 2 * y\": + - * / ^, parentheses, and functions of the library, such as exp")
      ->required();
  options.app()
      .add_option("variables", assignments, "the value of each variable, such as x=10 y=2")
      ->take_all();
  std::vector<const char*> words;
  const std::vector<std::string> line = readCommandLine(argc, argv);
  for (const std::string& word : line) words.push_back(word.c_str());
  options.traced(tracePasses);
  return options.run(argc, words.data(), [&] {
    if (text.starts_with(" -")) text.erase(0, 1);
    const auto variables = readVariables(assignments);
    const Expression expression = Expression::parse(text);
    const auto program = derive(expression, variables);
    requireUse(expression, variables);
    ThreadPool workers(static_cast<unsigned>(options.threads()));
    const std::vector<Derived> derived = program.blockingAwait(workers);
    if (dot) {
      std::ofstream file(*dot);
      writeDot(file, expression, derived);
      if (!file.flush())
        throw InputError(*dot, "cannot be written, expected a file in a directory that is there");
    }
    std::cout << text << " = " << shortest(derived.back().value) << '\n';
    for (std::size_t i = 0; i < derived.size(); ++i)
      if (expression.nodes[i].kind == Expression::Kind::variable)
        std::cout << "d/d" << expression.nodes[i].name << " = " << shortest(derived[i].gradient.value_or(0))
                  << '\n';
    std::cout << std::flush;
  });
}
