// expect: (ignoring return(ed)? value|unused-result).*a stream does nothing until it is consumed
// expect-lines: 14
// (more than elsewhere, since g++ shows the function as well as the class)
#include "tapestry/concurrent/stream/stream.hpp"

void start(const tapestry::Stream<int>& stream) { stream.take(1); }
