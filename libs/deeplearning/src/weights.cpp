#include "tapestry/deeplearning/weights.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <variant>

#include "tapestry/deeplearning/extend/pass_gradients.hpp"

namespace tapestry {

namespace {

template <class Data>
std::size_t elementsOf(const std::string&, const Weight<Data>& weight) {
  const Shape* shape = weight.node()->knownShape();
  return shape ? shape->size() : 1;
}
template <class Data>
std::size_t elementsOf(const std::string&, const RunningAverage<Data>&) {
  return 0;
}
std::size_t elementsOf(const std::string& name, const detail::OwnWeight& weight) {
  weight.requireForm("Weights", name, "counted");
  return weight->elements();
}

}  // namespace

std::size_t detail::elementsOf(const AnyWeightForm& form) {
  return std::visit([](const auto& typed) { return typed.value.size(); }, form);
}

void detail::OwnWeight::requireForm(const std::string& operation, const std::string& name,
                                    const std::string& done) const {
  if (!weight_->hasForm())
    throw std::invalid_argument("tapestry::" + operation + ": \"" + name + "\": the weight cannot be " +
                                done +
                                ", got data of a user-defined type, expected a TensorForm of the type");
}

Weights::Entry::Entry(std::string name, AnyWeight weight) {
  all_.push_back({std::move(name), std::move(weight)});
}

Weights::Entry::Entry(std::string_view name, const Weights& part) { add(name, part); }

void Weights::Entry::add(std::string_view name, const Weights& part) {
  for (const Named& named : part) all_.push_back({std::string(name) + "." + named.name, named.weight});
}

Weights::Entry::Entry(const Entry&) = default;
Weights::Entry::~Entry() = default;

Weights::Weights() noexcept = default;
Weights::Weights(const Weights&) = default;
Weights::Weights(Weights&&) noexcept = default;
Weights& Weights::operator=(const Weights&) = default;
Weights& Weights::operator=(Weights&&) noexcept = default;
Weights::~Weights() = default;

Weights::Weights(std::initializer_list<Entry> entries) {
  std::vector<Named> all;
  for (const Entry& entry : entries) all.insert(all.end(), entry.all_.begin(), entry.all_.end());
  *this = Weights(std::move(all));
}

Weights::Weights(std::vector<Named> weights) : all_(std::move(weights)) {
  std::unordered_set<std::string_view> names;
  for (const Named& named : all_) {
    if (named.name.empty() || named.name.starts_with('.'))
      throw std::invalid_argument("tapestry::Weights: a weight has no name, got \"" + named.name +
                                  "\", expected one for each");
    if (!names.insert(named.name).second)
      throw std::invalid_argument("tapestry::Weights: a name occurs twice, got \"" + named.name +
                                  "\", expected each once");
  }
}

const AnyWeight& Weights::operator[](std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Named::name);
  if (found == all_.end())
    throw std::out_of_range("tapestry::Weights: no weight has that name, got \"" + std::string(name) +
                            "\", expected one of " + std::to_string(all_.size()) + " names");
  return found->weight;
}

void Weights::requireNoTensors() const {
  const auto isTensor = [](const Named& named) {
    const auto* const own = std::get_if<detail::OwnWeight>(&named.weight);
    return own && (*own)->isTensor();
  };
  if (std::ranges::any_of(all_, isTensor))
    throw std::invalid_argument(
        "tapestry::Weights: the rule cannot step a weight of a device, got one for tensors of the host, "
        "expected a rule of any V");
}

std::size_t Weights::elements() const {
  std::unordered_set<const void*> counted;
  std::size_t sum = 0;
  for (const Named& named : all_)
    if (counted.insert(&extend::WeightId(named.weight).node()).second)
      sum += std::visit([&](const auto& weight) { return elementsOf(named.name, weight); }, named.weight);
  return sum;
}

}  // namespace tapestry
