#include "kernel/source.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "kernel/functions.hpp"

namespace tapestry::detail {

namespace {

using std::to_string;

constexpr std::array<std::string_view, 4> lanes{"x", "y", "z", "w"};

/// Writes the steps of a plan as statements.
class Writer {
 public:
  explicit Writer(const KernelPlan& plan) : plan_(plan), type_(plan.isDouble() ? "double" : "float") {}

  std::string parameters() const {
    std::string text;
    for (std::size_t i = 0; i < plan_.argumentKinds().size(); ++i) {
      const char kind = plan_.argumentKinds()[i];
      text += kind == 'b'   ? "GLOBAL const " + type_ + "* RESTRICT p"
              : kind == 'n' ? "const " + type_ + " p"
              : kind == 'u' ? std::string("const int p")
                            : std::string("const ulong p");
      text += to_string(i) + ", ";
    }
    for (std::size_t i = 0; i < plan_.outputs().size(); ++i)
      text += "GLOBAL " + type_ + "* RESTRICT o" + to_string(i) + ", ";
    return text;
  }

  /// The statements for the element whose index is `root`. With a lane, operands are that lane of vectors.
  std::string statements(const std::string& root, std::string_view lane = {}) const {
    std::string text;
    for (std::size_t i = 0; i < plan_.steps().size(); ++i) {
      const KernelStep& step = plan_.steps()[i];
      if (step.kind == KernelStep::Kind::index)
        text += index(step, i, root, lane);
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
    return 'v' + to_string(step) + std::string(lane);
  }
  const std::string& type() const noexcept { return type_; }

 private:
  std::string indexName(std::uint16_t at, const std::string& root, std::string_view lane) const {
    return at == KernelStep::root ? root : 'j' + to_string(at) + std::string(lane);
  }

  std::string value(const KernelStep& step, const std::string& root, std::string_view lane) const {
    const std::string at = indexName(step.at, root, lane);
    const std::string parameter = 'p' + to_string(step.parameter);
    switch (step.kind) {
      case KernelStep::Kind::load:
        return step.at == KernelStep::root && !lane.empty() ? "q" + parameter + '.' + std::string(lane)
                                                            : parameter + '[' + at + ']';
      case KernelStep::Kind::constant:
        return parameter;
      case KernelStep::Kind::random:
        return plan_.isDouble() ? "uniformDouble(" + parameter + ", " + at + ')'
                                : "uniformFloat(" + parameter + ", " + at + ')';
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
    std::string sum = (step.axes >> 31) != 0 ? "(uint)p" + to_string(parameter++) : std::string("0u");
    std::array<std::string, Shape::maxRank> extents, strides;
    for (unsigned axis = 0; axis < step.count; ++axis) {
      if (axis != 0) extents[axis] = "(uint)p" + to_string(parameter++);
      if ((step.axes >> (2 * axis) & 3u) == 2) strides[axis] = " * (uint)p" + to_string(parameter++);
    }
    std::string text, rest = indexName(step.at, root, lane);
    for (unsigned axis = step.count; axis-- > 0;) {
      if ((step.axes >> (2 * axis) & 3u) != 0)
        sum += " + " + (axis != 0 ? '(' + rest + " % " + extents[axis] + ')' : rest) + strides[axis];
      if (axis == 0) break;
      const std::string next = 'r' + own + '_' + to_string(axis);
      text += "const uint " + next + " = " + rest + " / " + extents[axis] + ";\n";
      rest = next;
    }
    return text + "const uint " + own + " = " + sum + ";\n";
  }

  const KernelPlan& plan_;
  const std::string type_;
};

std::string combined(Reduction reduction, const std::string& a, const std::string& b) {
  switch (reduction) {
    case Reduction::sum:
      return a + " + " + b;
    case Reduction::max:
      return '(' + a + " > " + b + " || " + a + " != " + a + ") ? " + a + " : " + b;
    default:
      return '(' + a + " < " + b + " || " + a + " != " + a + ") ? " + a + " : " + b;
  }
}

std::string_view identityOf(Reduction reduction) {
  return reduction == Reduction::sum ? "0" : reduction == Reduction::max ? "-INFINITY" : "INFINITY";
}

/// The index of the operand's element from those of the output, o, and of the term, t.
std::string elementIndex(const ReductionCut& cut) {
  std::string text = "uint ro = o, rt = t, i = 0;\n";
  std::size_t firstKept = cut.rank, firstReduced = cut.rank;
  for (std::size_t axis = cut.rank; axis-- > 0;) (cut.reduced[axis] ? firstReduced : firstKept) = axis;
  for (std::size_t axis = cut.rank; axis-- > 0;) {
    const std::string rest = cut.reduced[axis] ? "rt" : "ro";
    const std::string stride = " * (uint)s" + to_string(axis) + ";\n", extent = "(uint)e" + to_string(axis);
    if (axis == (cut.reduced[axis] ? firstReduced : firstKept))
      text += "i += " + rest + stride;
    else
      text += "i += (" + rest + " % " + extent + ')' + stride + rest + " /= " + extent + ";\n";
  }
  return text;
}

}  // namespace

std::string kernelName(const KernelPlan& plan, std::string_view prefix) {
  std::string name(prefix);
  for (const KernelStep& step : plan.steps())
    if (step.kind == KernelStep::Kind::apply && name.size() < 60) name += '_' + step.function->name;
  return name;
}

std::string elementwiseSource(const KernelPlan& plan, std::string_view name, unsigned width) {
  const Writer writer(plan);
  std::string text = writer.definitions() + "KERNEL void " + std::string(name) + '(' + writer.parameters() +
                     "const int count) {\nconst uint i = GLOBAL_ID;\nif (i >= (uint)count) return;\n";
  if (width == 1) {
    text += writer.statements("i");
    for (std::size_t i = 0; i < plan.outputs().size(); ++i)
      text += 'o' + to_string(i) + "[i] = " + Writer::name(plan.outputs()[i].step, {}) + ";\n";
    return text + "}\n";
  }
  for (const KernelStep& step : plan.steps())
    if (step.kind == KernelStep::Kind::load && step.at == KernelStep::root)
      text += "const float4 qp" + to_string(step.parameter) + " = LOAD4(p" + to_string(step.parameter) +
              ", i);\n";
  for (unsigned lane = 0; lane < width; ++lane)
    text += writer.statements("(4 * i + " + to_string(lane) + ')', lanes[lane]);
  for (std::size_t i = 0; i < plan.outputs().size(); ++i) {
    text += "STORE4(o" + to_string(i) + ", i";
    for (unsigned lane = 0; lane < width; ++lane)
      text += ", " + Writer::name(plan.outputs()[i].step, lanes[lane]);
    text += ");\n";
  }
  return text + "}\n";
}

std::string reductionSource(const KernelPlan& plan, const ReductionCut& cut, Reduction reduction,
                            std::string_view name) {
  const Writer writer(plan);
  const std::string group = to_string(cut.group), &type = writer.type();
  const bool together = cut.group != 1;
  std::string text = writer.definitions() + "KERNEL void " + std::string(name) + '(' + writer.parameters() +
                     "GLOBAL " + type +
                     "* result, const int outputs, const int terms, const int part, const int parts";
  for (std::size_t axis = 0; axis < cut.rank; ++axis)
    text += ", const int e" + to_string(axis) + ", const int s" + to_string(axis);
  text += ") {\n";
  text +=
      together ? "const uint g = GROUP_ID;\n" : "const uint g = GLOBAL_ID;\nif (g >= (uint)parts) return;\n";
  text += "const uint o = g % (uint)outputs, first = g / (uint)outputs * (uint)part;\n";
  text += "const uint last = first + (uint)part < (uint)terms ? first + (uint)part : (uint)terms;\n";
  text += type + " sum = " + std::string(identityOf(reduction)) + ";\n";
  text += together ? "for (uint t = first + LOCAL_ID; t < last; t += " + group + ") {\n"
                   : "for (uint t = first; t < last; ++t) {\n";
  text += elementIndex(cut) + writer.statements("i");
  for (std::size_t i = 0; i < plan.outputs().size(); ++i)
    text += 'o' + to_string(i) + "[i] = " + Writer::name(plan.outputs()[i].step, {}) + ";\n";
  text += "sum = " + combined(reduction, "sum", Writer::name(plan.rootStep(), {})) + ";\n}\n";
  if (together) {
    text += "LOCAL " + type + " sums[" + group + "];\nsums[LOCAL_ID] = sum;\nBARRIER;\n";
    text += "for (uint half = " + to_string(cut.group / 2) + "; half != 0; half /= 2) {\n";
    text += "if (LOCAL_ID < half) sums[LOCAL_ID] = " +
            combined(reduction, "sums[LOCAL_ID]", "sums[LOCAL_ID + half]") + ";\nBARRIER;\n}\n";
    text += "if (LOCAL_ID == 0) result[g] = sums[0];\n}\n";
  } else {
    text += "result[g] = sum;\n}\n";
  }
  return text;
}

}  // namespace tapestry::detail
