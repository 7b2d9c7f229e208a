// Boost.JSON, of which digit_server needs no library beside its headers.
#include <boost/json/src.hpp>
