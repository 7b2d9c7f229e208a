#include <tapestry/tensor/formula/term.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

#pragma GCC visibility push(default)
namespace tapestry::formula {

namespace {

using PartRef = std::shared_ptr<const detail::Part>;

PartRef makePart(std::string_view function, std::vector<PartRef> arguments) {
  return std::make_shared<const detail::Part>(detail::Part{function, std::move(arguments)});
}

/// Writes parts as statements, each once, after those that it is made of.
class Writer {
 public:
  explicit Writer(std::string_view type) : type_(type) {}

  /// The expression of the part, for use in the statements that follow.
  std::string write(const detail::Part& part) {
    if (part.function.empty()) return literal(part.constant);
    if (part.function == "x") return "x" + std::to_string(part.operand);
    if (const auto known = names_.find(&part); known != names_.end()) return known->second;
    std::vector<std::string> arguments;
    for (const PartRef& argument : part.arguments) arguments.push_back(write(*argument));
    const std::string name = "t" + std::to_string(names_.size());
    statements_ += "const ";
    statements_ += isTruth(part.function) ? "int" : type_;
    statements_ += ' ' + name + " = " + expression(part.function, arguments) + ";\n";
    names_.emplace(&part, name);
    return name;
  }

  const std::string& statements() const noexcept { return statements_; }

 private:
  static bool isTruth(std::string_view function) {
    return function.find_first_of("<>=!&|") != std::string_view::npos;
  }

  static std::string expression(std::string_view function, const std::vector<std::string>& a) {
    const std::string name(function);
    if (name == "where") return a[0] + " ? " + a[1] + " : " + a[2];
    if (std::isalpha(static_cast<unsigned char>(name[0]))) return name + '(' + a[0] + ')';
    return a.size() == 1 ? name + a[0] : a[0] + ' ' + name + ' ' + a[1];
  }

  /// With as many digits as identify the double; negative numbers in parentheses.
  std::string literal(double value) const {
    std::array<char, 32> text;
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general,
                      std::numeric_limits<double>::max_digits10);
    std::string digits(text.data(), end);
    if (digits.find_first_of(".en") == std::string::npos) digits += ".0";
    if (std::isinf(value)) digits = value > 0 ? "INFINITY" : "-INFINITY";
    if (std::isnan(value)) digits = "NAN";
    if (type_ == "float" && std::isfinite(value)) digits += 'f';
    return digits[0] == '-' ? '(' + digits + ')' : digits;
  }

  const std::string_view type_;
  std::string statements_;
  std::unordered_map<const detail::Part*, std::string> names_;
};

double appliedToOne(std::string_view function, double a) {
  using Function = double (*)(double);
  static const std::unordered_map<std::string_view, Function> functions{
      {"-", [](double x) { return -x; }},
      {"!", [](double x) { return x == 0 ? 1.0 : 0.0; }},
      {"fabs", [](double x) { return std::fabs(x); }},
      {"exp", [](double x) { return std::exp(x); }},
      {"expm1", [](double x) { return std::expm1(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"log1p", [](double x) { return std::log1p(x); }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"sin", [](double x) { return std::sin(x); }},
      {"cos", [](double x) { return std::cos(x); }},
      {"tanh", [](double x) { return std::tanh(x); }}};
  return functions.at(function)(a);
}

double appliedToTwo(std::string_view function, double a, double b) {
  if (function == "+") return a + b;
  if (function == "-") return a - b;
  if (function == "*") return a * b;
  if (function == "/") return a / b;
  if (function == "<") return a < b;
  if (function == ">") return a > b;
  if (function == "<=") return a <= b;
  if (function == ">=") return a >= b;
  if (function == "==") return a == b;
  if (function == "!=") return a != b;
  return function == "&&" ? a != 0 && b != 0 : a != 0 || b != 0;
}

/// Computes parts, each once.
class Evaluation {
 public:
  explicit Evaluation(std::span<const double> operands) : operands_(operands) {}

  double valueOf(const detail::Part& part) {
    if (part.function.empty()) return part.constant;
    if (part.function == "x") return operands_[part.operand];
    if (const auto known = values_.find(&part); known != values_.end()) return known->second;
    std::array<double, 3> a{};
    for (std::size_t i = 0; i < part.arguments.size(); ++i) a[i] = valueOf(*part.arguments[i]);
    const double value = part.arguments.size() == 3   ? a[a[0] != 0 ? 1 : 2]
                         : part.arguments.size() == 2 ? appliedToTwo(part.function, a[0], a[1])
                                                      : appliedToOne(part.function, a[0]);
    values_.emplace(&part, value);
    return value;
  }

 private:
  const std::span<const double> operands_;
  std::unordered_map<const detail::Part*, double> values_;
};

}  // namespace

Term::Term(std::string_view function, std::vector<PartRef> arguments)
    : part_(makePart(function, std::move(arguments))) {}

Term Term::constant(double value) {
  return Term(std::make_shared<const detail::Part>(detail::Part{{}, {}, value}));
}

Term Term::operand(std::size_t index) {
  return Term(std::make_shared<const detail::Part>(detail::Part{"x", {}, 0, index}));
}

TermTruth Term::compared(std::string_view comparison, const Term& a, const Term& b) {
  return TermTruth(makePart(comparison, {a.part_, b.part_}));
}

Term operator-(const Term& a) {
  return a.part_->function.empty() ? Term(-a.part_->constant) : Term("-", {a.part_});
}

Term operator+(const Term& a, const Term& b) {
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  return Term("+", {a.part_, b.part_});
}

Term operator-(const Term& a, const Term& b) {
  if (a.is(0)) return -b;
  if (b.is(0)) return a;
  return Term("-", {a.part_, b.part_});
}

Term operator*(const Term& a, const Term& b) {
  if (a.is(0) || b.is(1)) return a;
  if (b.is(0) || a.is(1)) return b;
  return Term("*", {a.part_, b.part_});
}

Term operator/(const Term& a, const Term& b) {
  if (a.is(0) || b.is(1)) return a;
  return Term("/", {a.part_, b.part_});
}

Term where(const TermTruth& condition, const Term& a, const Term& b) {
  const detail::Part& truth = *condition.part_;
  if (truth.function.empty()) return truth.constant != 0 ? a : b;
  if (truth.function == "!" && a.is(0))  // what has been found to be 0 needs no literal
    return Term("where", {condition.part_, truth.arguments[0], b.part_});
  return Term("where", {condition.part_, a.part_, b.part_});
}

TermTruth isZero(const Term& a) {
  return TermTruth(a.part_->function.empty() ? Term(a.is(0) ? 1 : 0).part_ : makePart("!", {a.part_}));
}

TermTruth operator&(const TermTruth& a, const TermTruth& b) {
  if (a.part_->function.empty()) return a.part_->constant != 0 ? b : a;
  if (b.part_->function.empty()) return b.part_->constant != 0 ? a : b;
  return TermTruth(makePart("&&", {a.part_, b.part_}));
}
TermTruth operator|(const TermTruth& a, const TermTruth& b) {
  return TermTruth(makePart("||", {a.part_, b.part_}));
}
TermTruth operator!(const TermTruth& a) { return TermTruth(makePart("!", {a.part_})); }

Source sourceOf(std::span<const Term> results, std::string_view type) {
  Writer writer(type);
  Source source;
  for (const Term& result : results) source.results.push_back(writer.write(*result.part_));
  source.statements = writer.statements();
  return source;
}

double valueOf(const Term& term, std::span<const double> operands) {
  return Evaluation(operands).valueOf(*term.part_);
}

}  // namespace tapestry::formula
#pragma GCC visibility pop
