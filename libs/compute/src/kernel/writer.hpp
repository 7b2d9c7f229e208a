// Defines KernelWriter, which writes the steps of a plan as statements of C, and kernelFunctions, the
// functions that all kernels may call, for numbers of type T.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/plan.hpp"

namespace tapestry::detail {

inline constexpr std::string_view kernelFunctions = R"(
FUNCTION T sigmoidOf(T x) {
  const T tail = exp(-fabs(x));
  return (x < 0 ? tail : (T)1) / (1 + tail);
}
FUNCTION T clamped(T x, T most) { return x > most ? most : x < -most ? -most : x; }
FUNCTION T siluOf(T x) { return (x < -MOST ? -MOST : x) * sigmoidOf(x); }
FUNCTION T siluSlope(T x) {
  const T s = sigmoidOf(x);
  return s * (1 + clamped(x, MOST) * (1 - s));
}
FUNCTION T geluOf(T x) {
  return (x < -MOST ? -MOST : x) * sigmoidOf(x * ((T)1.5957691216057308 + (T)0.07135481627260025 * x * x));
}
FUNCTION T geluSlope(T x) {
  const T a = (T)1.5957691216057308, b = (T)0.07135481627260025, near = clamped(x, (T)100);
  const T s = sigmoidOf(near * (a + b * near * near));
  return s + near * s * (1 - s) * (a + 3 * b * near * near);
}
FUNCTION T powerOf(T a, T b) {
  return b == 1 ? a : b == 2 ? a * a : a != a ? a : b != b ? b : pow(a, b);
}
FUNCTION T powerSlope(T a, T b) {
  const T c = powerOf(a, b);
  return (c == 0 && a >= 0) || (a == 0 && b == 0) ? (T)0 : c * log(a);
}
FUNCTION ulong splitMix(ulong seed, ulong place) {
  ulong x = seed + (place + 1) * 0x9e3779b97f4a7c15UL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9UL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebUL;
  return x ^ (x >> 31);
}
FUNCTION T dropped(ulong key, ulong threshold, T kept, uint place) {
  const ulong draws = splitMix(key, place / 2);
  return (place % 2 == 0 ? draws & 0xffffffffUL : draws >> 32) < threshold ? (T)0 : kept;
}
FUNCTION float uniformFloat(ulong seed, uint place) {
  return (float)(splitMix(seed, place) >> 40) * (1.0f / 16777216);
}
)";

/// Only where the type is double, which a device may lack.
inline constexpr std::string_view doubleFunctions = R"(
FUNCTION double uniformDouble(ulong seed, uint place) {
  return (double)(splitMix(seed, place) >> 11) * (1.0 / 9007199254740992);
}
)";

/// Writes the steps of a plan as statements.
class KernelWriter {
 public:
  explicit KernelWriter(const KernelPlan& plan) : plan_(plan), type_(plan.isDouble() ? "double" : "float") {}

  std::string parameters() const {
    std::string text;
    for (std::size_t i = 0; i < plan_.argumentKinds().size(); ++i) {
      const char kind = plan_.argumentKinds()[i];
      text += kind == 'b'   ? "GLOBAL const " + type_ + "* RESTRICT p"
              : kind == 'i' ? std::string("GLOBAL const int* RESTRICT p")
              : kind == 'n' ? "const " + type_ + " p"
              : kind == 'u' ? std::string("const int p")
                            : std::string("const ulong p");
      text += std::to_string(i) + ", ";
    }
    for (std::size_t i = 0; i < plan_.outputs().size(); ++i)
      text += "GLOBAL " + type_ + "* RESTRICT o" + std::to_string(i) + ", ";
    return text;
  }

  /// The statements for the element whose index is `root`. With a lane, operands are that lane of vectors.
  std::string statements(const std::string& root, std::string_view lane = {}) const {
    std::string text;
    for (std::size_t i = 0; i < plan_.steps().size(); ++i) {
      const KernelStep& step = plan_.steps()[i];
      if (step.kind == KernelStep::Kind::index)
        text += index(step, i, root, lane);
      else if (step.kind == KernelStep::Kind::chosen)
        text += chosen(step, i, root, lane);
      else
        text += "const " + type_ + ' ' + name(i, lane) + " = " + value(step, root, lane) + ";\n";
    }
    return text;
  }

  /// What functions of the kernel call, and T, the type of the numbers.
  std::string definitions() const {
    std::string text = "#define T " + type_ + '\n';
    text +=
        plan_.isDouble() ? "#define MOST 1.7976931348623157e308\n" : "#define MOST 3.4028234663852886e38f\n";
    text += kernelFunctions;
    if (plan_.isDouble()) text += doubleFunctions;
    std::vector<const DeviceFunction*> defined;
    for (const KernelStep& step : plan_.steps()) {
      if (step.function == nullptr || step.function->definition.empty() ||
          std::find(defined.begin(), defined.end(), step.function) != defined.end())
        continue;
      defined.push_back(step.function);
      text += step.function->definition;
    }
    return text;
  }

  static std::string name(std::size_t step, std::string_view lane) {
    return 'v' + std::to_string(step) + std::string(lane);
  }
  const std::string& type() const noexcept { return type_; }

 private:
  std::string indexName(std::uint16_t at, const std::string& root, std::string_view lane) const {
    return at == KernelStep::root ? root : 'j' + std::to_string(at) + std::string(lane);
  }

  std::string value(const KernelStep& step, const std::string& root, std::string_view lane) const {
    const std::string at = indexName(step.at, root, lane);
    const std::string parameter = 'p' + std::to_string(step.parameter);
    switch (step.kind) {
      case KernelStep::Kind::load:
        return step.at == KernelStep::root && !lane.empty() ? "q" + parameter + '.' + std::string(lane)
                                                            : parameter + '[' + at + ']';
      case KernelStep::Kind::constant:
        return parameter;
      case KernelStep::Kind::random:
        return plan_.isDouble() ? "uniformDouble(" + parameter + ", " + at + ')'
                                : "uniformFloat(" + parameter + ", " + at + ')';
      case KernelStep::Kind::dropped:
        return "dropped(" + parameter + ", p" + std::to_string(step.parameter + 1) + ", p" +
               std::to_string(step.parameter + 2) + ", " + at + ')';
      case KernelStep::Kind::counter:
        return '(' + type_ + ')' + at;
      default:
        return applied(step, lane);
    }
  }

  static std::string applied(const KernelStep& step, std::string_view lane) {
    std::string text;
    const std::string& pattern = step.function->pattern;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] == '%')
        text += name(step.operands[static_cast<std::size_t>(pattern[++i] - '0')], lane);
      else
        text += pattern[i];
    }
    return text;
  }

  std::string index(const KernelStep& step, std::size_t number, const std::string& root,
                    std::string_view lane) const {
    const std::string own = indexName(static_cast<std::uint16_t>(number), root, lane);
    unsigned parameter = step.parameter;
    std::string sum = (step.axes >> 31) != 0 ? "(uint)p" + std::to_string(parameter++) : std::string("0u");
    std::array<std::string, Shape::maxRank> extents, strides;
    for (unsigned axis = 0; axis < step.count; ++axis) {
      if (axis != 0) extents[axis] = "(uint)p" + std::to_string(parameter++);
      if ((step.axes >> (2 * axis) & 3u) == 2) strides[axis] = " * (uint)p" + std::to_string(parameter++);
    }
    std::string text, rest = indexName(step.at, root, lane);
    for (unsigned axis = step.count; axis-- > 0;) {
      if ((step.axes >> (2 * axis) & 3u) != 0)
        sum += " + " + (axis != 0 ? '(' + rest + " % " + extents[axis] + ')' : rest) + strides[axis];
      if (axis == 0) break;
      const std::string next = 'r' + own + '_' + std::to_string(axis);
      text += "const uint " + next + " = " + rest + " / " + extents[axis] + ";\n";
      rest = next;
    }
    return text + "const uint " + own + " = " + sum + ";\n";
  }

  std::string chosen(const KernelStep& step, std::size_t number, const std::string& root,
                     std::string_view lane) const {
    const std::string own = indexName(static_cast<std::uint16_t>(number), root, lane), row = 'r' + own;
    const std::string at = indexName(step.at, root, lane);
    const auto parameter = [&](unsigned i) { return "(uint)p" + std::to_string(step.parameter + i); };
    const std::string extent = parameter(0), count = parameter(1), inner = parameter(2);
    return "const uint " + row + " = " + at + " / " + inner + ";\nconst uint " + own + " = (" + row + " / " +
           count + " * " + extent + " + (uint)p" + std::to_string(step.operands[0]) + '[' + row + " % " +
           count + "]) * " + inner + " + " + at + " % " + inner + ";\n";
  }

  const KernelPlan& plan_;
  const std::string type_;
};

}  // namespace tapestry::detail
