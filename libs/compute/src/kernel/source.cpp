#include "kernel/source.hpp"

#include <array>
#include <string>

#include "kernel/writer.hpp"

namespace tapestry::detail {

namespace {

using std::to_string;

constexpr std::array<std::string_view, 4> lanes{"x", "y", "z", "w"};

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

/// The beginning of a kernel of one work-item for each element, with further parameters.
std::string kernelHead(const KernelWriter& writer, std::string_view name, const std::string& more = {}) {
  return writer.definitions() + "KERNEL void " + std::string(name) + '(' + writer.parameters() + more +
         "const int count) {\nconst uint i = GLOBAL_ID;\nif (i >= (uint)count) return;\n";
}

/// Stores the outputs of the element i.
std::string storedOutputs(const KernelPlan& plan) {
  std::string text;
  for (std::size_t i = 0; i < plan.outputs().size(); ++i)
    text += 'o' + to_string(i) + "[i] = " + KernelWriter::name(plan.outputs()[i].step, {}) + ";\n";
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
  const KernelWriter writer(plan);
  std::string text = kernelHead(writer, name);
  if (width == 1) return text + writer.statements("i") + storedOutputs(plan) + "}\n";
  for (const KernelStep& step : plan.steps())
    if (step.kind == KernelStep::Kind::load && step.at == KernelStep::root)
      text += "const float4 qp" + to_string(step.parameter) + " = LOAD4(p" + to_string(step.parameter) +
              ", i);\n";
  for (unsigned lane = 0; lane < width; ++lane)
    text += writer.statements("(4 * i + " + to_string(lane) + ')', lanes[lane]);
  for (std::size_t i = 0; i < plan.outputs().size(); ++i) {
    text += "STORE4(o" + to_string(i) + ", i";
    for (unsigned lane = 0; lane < width; ++lane)
      text += ", " + KernelWriter::name(plan.outputs()[i].step, lanes[lane]);
    text += ");\n";
  }
  return text + "}\n";
}

std::string scatteredSource(const KernelPlan& plan, std::uint16_t place, std::string_view name) {
  const KernelWriter writer(plan);
  return kernelHead(writer, name, "GLOBAL " + writer.type() + "* RESTRICT to, ") + writer.statements("i") +
         storedOutputs(plan) + "to[j" + to_string(place) + "] = " + KernelWriter::name(plan.rootStep(), {}) +
         ";\n}\n";
}

std::string rowSumSource(bool isDouble, std::string_view name) {
  const std::string type = isDouble ? "double" : "float";
  return "KERNEL void " + std::string(name) + "(GLOBAL const " + type +
         "* RESTRICT x, GLOBAL const int* RESTRICT places, GLOBAL " + type +
         "* RESTRICT result, const int indices, const int extent, const int inner, const int count) {\n" +
         "const uint i = GLOBAL_ID;\nif (i >= (uint)count) return;\n" +
         "const uint r = i / (uint)inner, k = r % (uint)extent, first = r / (uint)extent * (uint)indices;\n" +
         "const int last = places[k + 1];\n" + type + " sum = 0;\n" +
         "for (int n = places[k]; n < last; ++n)\n" +
         "sum += x[(first + (uint)places[(uint)extent + 1 + (uint)n]) * (uint)inner + i % (uint)inner];\n" +
         "result[i] = sum;\n}\n";
}

std::string reductionSource(const KernelPlan& plan, const ReductionCut& cut, Reduction reduction,
                            std::string_view name) {
  const KernelWriter writer(plan);
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
  text += storedOutputs(plan) +
          "sum = " + combined(reduction, "sum", KernelWriter::name(plan.rootStep(), {})) + ";\n}\n";
  if (together) {
    text += "LOCAL " + type + " sums[" + group + "];\nsums[LOCAL_ID] = sum;\nBARRIER;\n";
    text += "for (uint width = " + to_string(cut.group / 2) + "; width != 0; width /= 2) {\n";
    text += "if (LOCAL_ID < width) sums[LOCAL_ID] = " +
            combined(reduction, "sums[LOCAL_ID]", "sums[LOCAL_ID + width]") + ";\nBARRIER;\n}\n";
    text += "if (LOCAL_ID == 0) result[g] = sums[0];\n}\n";
  } else {
    text += "result[g] = sum;\n}\n";
  }
  return text;
}

}  // namespace tapestry::detail
