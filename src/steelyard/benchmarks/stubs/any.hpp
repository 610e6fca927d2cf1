// Stands in for Boost's any.
#include <any>
namespace boost {
using std::any;
using std::any_cast;
}
