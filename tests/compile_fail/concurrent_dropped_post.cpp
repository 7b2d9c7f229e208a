// expect: (ignoring return(ed)? value|unused-result).*a program that is refused is not run
// expect-lines: 10
#include "tapestry/concurrent/dispatcher.hpp"

void start(const tapestry::Dispatcher& dispatcher, const tapestry::Do<void>& program) {
  dispatcher.post(program);
}
