// expect: broadcast\(.*expected functions f\(Stream<A>\), const, that return a Do
// expect-lines: 11
// (one more than elsewhere, since g++ tells that stream.hpp includes the declaration)
#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) { return stream.broadcast(); }
