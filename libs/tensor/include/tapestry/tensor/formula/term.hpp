// Defines Term, by which a formula is recorded, sourceOf, which writes it as statements of C, valueOf, which
// computes it, and Recording, a recorded formula that is used again.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapestry/tensor/attachments.hpp>
#include <tapestry/tensor/formula/number.hpp>

#pragma GCC visibility push(default)
namespace tapestry::formula {

namespace detail {

struct Part {
  std::string_view function;  ///< empty for a constant, "x" for an operand
  std::vector<std::shared_ptr<const Part>> arguments;
  double constant = 0;
  std::size_t operand = 0;
};

}  // namespace detail

class Term;

/// Statements of C, OpenCL C or CUDA that compute results from operands x0, x1, ..., each part once; and the
/// expression of each result.
struct Source {
  std::string statements;
  std::vector<std::string> results;
};

/// The truth of a comparison of terms.
class TermTruth {
 public:
  explicit operator bool() const = delete;  // expected where(condition, a, b): a formula cannot branch

  friend Term where(const TermTruth& condition, const Term& a, const Term& b);
  friend TermTruth operator&(const TermTruth& a, const TermTruth& b);
  friend TermTruth operator|(const TermTruth& a, const TermTruth& b);
  friend TermTruth operator!(const TermTruth& a);

 private:
  friend Term;
  friend TermTruth isZero(const Term& a);
  explicit TermTruth(std::shared_ptr<const detail::Part> part) noexcept : part_(std::move(part)) {}

  std::shared_ptr<const detail::Part> part_;
};

/// A part of a recorded formula: a constant, an operand, or a function of other parts. A formula that is
/// called with terms yields a term, and with Dual<Term, n> the terms of its derivatives. A sum with the
/// constant 0, and a product with 0 or 1, are simplified, which derivatives have many of.
class Term {
 public:
  Term() : Term(0) {}
  template <Constant C>
  Term(C value) : Term(constant(static_cast<double>(value))) {}
  /// The operand of this index, of the formula that is recorded.
  static Term operand(std::size_t index);

  friend Term operator+(const Term& a) { return a; }
  friend Term operator-(const Term& a);
  friend Term operator+(const Term& a, const Term& b);
  friend Term operator-(const Term& a, const Term& b);
  friend Term operator*(const Term& a, const Term& b);
  friend Term operator/(const Term& a, const Term& b);

  friend TermTruth operator<(const Term& a, const Term& b) { return compared("<", a, b); }
  friend TermTruth operator>(const Term& a, const Term& b) { return compared(">", a, b); }
  friend TermTruth operator<=(const Term& a, const Term& b) { return compared("<=", a, b); }
  friend TermTruth operator>=(const Term& a, const Term& b) { return compared(">=", a, b); }
  friend TermTruth operator==(const Term& a, const Term& b) { return compared("==", a, b); }
  friend TermTruth operator!=(const Term& a, const Term& b) { return compared("!=", a, b); }
  friend Term where(const TermTruth& condition, const Term& a, const Term& b);
  /// For a constant, the choice that depends on it is made when the formula is recorded.
  friend TermTruth isZero(const Term& a);

  friend Term max(const Term& a, const Term& b) { return where((a > b) | (a != a), a, b); }
  friend Term min(const Term& a, const Term& b) { return where((a < b) | (a != a), a, b); }
  friend Term abs(const Term& a) { return Term("fabs", {a.part_}); }
  friend Term sign(const Term& a) { return where(a > 0, 1, where(a < 0, -1, a)); }
  friend Term exp(const Term& a) { return Term("exp", {a.part_}); }
  friend Term expm1(const Term& a) { return Term("expm1", {a.part_}); }
  friend Term log(const Term& a) { return Term("log", {a.part_}); }
  friend Term log1p(const Term& a) { return Term("log1p", {a.part_}); }
  friend Term sqrt(const Term& a) { return Term("sqrt", {a.part_}); }
  friend Term sin(const Term& a) { return Term("sin", {a.part_}); }
  friend Term cos(const Term& a) { return Term("cos", {a.part_}); }
  friend Term tanh(const Term& a) { return Term("tanh", {a.part_}); }
  friend Term sigmoid(const Term& a) { return 1 / (1 + exp(-a)); }

 private:
  friend Source sourceOf(std::span<const Term> results, std::string_view type);
  friend double valueOf(const Term& term, std::span<const double> operands);

  explicit Term(std::shared_ptr<const detail::Part> part) noexcept : part_(std::move(part)) {}
  Term(std::string_view function, std::vector<std::shared_ptr<const detail::Part>> arguments);
  static Term constant(double value);
  static TermTruth compared(std::string_view comparison, const Term& a, const Term& b);
  bool is(double value) const noexcept { return part_->function.empty() && part_->constant == value; }

  std::shared_ptr<const detail::Part> part_;
};

/// `type` is the type of the values, `float` or `double`.
Source sourceOf(std::span<const Term> results, std::string_view type);

/// Returns the value of a recorded formula for operands x0, x1, ..., part by part: slow, for constants.
double valueOf(const Term& term, std::span<const double> operands);

/// The results of a recorded formula, and what other libraries have made of them, such as their source.
class Recording {
 public:
  explicit Recording(std::vector<Term> results) noexcept : results_(std::move(results)) {}

  const std::vector<Term>& results() const noexcept { return results_; }
  const Attachments& attachments() const noexcept { return attachments_; }

 private:
  const std::vector<Term> results_;
  const Attachments attachments_;
};

}  // namespace tapestry::formula
#pragma GCC visibility pop
