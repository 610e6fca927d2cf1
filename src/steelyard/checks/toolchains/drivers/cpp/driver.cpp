// The answer is compiled within this file; all that does not change with it is in the precompiled driver.h.
#include "driver.h"
int main() { return steelyard::run(); }
#define main steelyard_answer_main
#include "answer.cpp"
#undef main
static const auto steelyard_entry = (steelyard::entry = [](const std::vector<steelyard::Data> &args) { return steelyard::call(&::STEELYARD_FUNCTION, args); }, 0);
