// Defines beginsWork, the events after which a node computes.
#pragma once

#include "tapestry/deeplearning/extend/graph.hpp"
#include "tapestry/deeplearning/pass_observer.hpp"

namespace tapestry::detail {

/// Whether a node begins to compute its data, or its operands' deltas. `forward` and `sent` are the ends.
inline bool beginsWork(PassObserver::Event event, const extend::NodeView& node) {
  return event == PassObserver::Event::starts ||
         (event == PassObserver::Event::backward && node.kind() == extend::NodeKind::operation);
}

}  // namespace tapestry::detail
