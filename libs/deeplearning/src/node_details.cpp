#include "tapestry/deeplearning/extend/node_details.hpp"

namespace tapestry::extend {

Attribute::Attribute(bool value) noexcept : variant(value) {}
Attribute::Attribute(int value) noexcept : variant(std::int64_t{value}) {}
Attribute::Attribute(std::int64_t value) noexcept : variant(value) {}
Attribute::Attribute(double value) noexcept : variant(value) {}
Attribute::Attribute(const char* value) : variant(std::string(value)) {}
Attribute::Attribute(std::string value) noexcept : variant(std::move(value)) {}
Attribute::Attribute(std::vector<std::int64_t> value) noexcept : variant(std::move(value)) {}
Attribute::Attribute(Indices value) : variant(std::move(value)) {}
Attribute::Attribute(Tensor<float> value) : variant(std::move(value)) {}
Attribute::Attribute(Tensor<double> value) : variant(std::move(value)) {}
Attribute::Attribute(const Attribute&) = default;
Attribute::Attribute(Attribute&&) noexcept = default;
Attribute& Attribute::operator=(const Attribute&) = default;
Attribute& Attribute::operator=(Attribute&&) noexcept = default;
Attribute::~Attribute() = default;

Attributes::Attributes() noexcept = default;
Attributes::Attributes(std::initializer_list<value_type> attributes) : vector(attributes) {}
Attributes::Attributes(const Attributes&) = default;
Attributes::Attributes(Attributes&&) noexcept = default;
Attributes& Attributes::operator=(const Attributes&) = default;
Attributes& Attributes::operator=(Attributes&&) noexcept = default;
Attributes::~Attributes() = default;

}  // namespace tapestry::extend
