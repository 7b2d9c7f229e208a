// Shows the traces of errors that leave test cases, in the groups that link the test kit.
#include "tapestry/testing/doctest_traces.hpp"
