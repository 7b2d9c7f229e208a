// expect: (ignoring return(ed)? value|unused-result).*a program does nothing until it is run
// expect-lines: 10
#include "tapestry/concurrent/channel.hpp"

void start(const tapestry::Channel<int>& channel) { channel.send(1); }
