// Defines SettingRule, the rule of a weight whose step does something else besides, and keeps the weight.
#pragma once

#include <functional>

namespace tapestry::test {

struct SettingRule {
  std::function<void()> set;

  template <class V>
  struct State {};
  template <class V>
  V step(const V& weight, const V&, State<V>&) const {
    set();
    return weight;
  }
};

}  // namespace tapestry::test
