/* What driver.c has for call.c. Includes nothing: an answer may have functions and types with names of any header. */
typedef __SIZE_TYPE__ steelyard_size_t;
struct steelyard_data { char kind; char *text; struct steelyard_data *items; steelyard_size_t count; };  /* kind: n t f 0 " [ { */
void steelyard_call(struct steelyard_data *steelyard_args, steelyard_size_t steelyard_count);

void *steelyard_new(steelyard_size_t size);
void steelyard_stop(const char *why);
long long steelyard_whole(struct steelyard_data one);
double steelyard_number(struct steelyard_data one);
float steelyard_float(struct steelyard_data one);  /* rounded once */
_Bool steelyard_flag(struct steelyard_data one);
char *steelyard_text(struct steelyard_data one);
char steelyard_letter(struct steelyard_data one);
struct steelyard_data steelyard_list(struct steelyard_data one);

void steelyard_say(const char *text);
void steelyard_put_whole(long long one);
void steelyard_put_unsigned(unsigned long long one);
void steelyard_put_flag(_Bool one);
void steelyard_put_number(double one);
void steelyard_put_float(float one);
void steelyard_put_text(const char *text);
void steelyard_put_letter(char one);
#define STEELYARD_PUT(x) _Generic((x), _Bool: steelyard_put_flag, char: steelyard_put_letter, char *: steelyard_put_text, \
    const char *: steelyard_put_text, float: steelyard_put_float, double: steelyard_put_number, long double: steelyard_put_number, \
    unsigned long: steelyard_put_unsigned, unsigned long long: steelyard_put_unsigned, default: steelyard_put_whole)(x)
#define STEELYARD_PUT_LIST(items, size) do { \
    steelyard_say("["); \
    for (steelyard_size_t steelyard_i = 0; steelyard_i < (steelyard_size_t)(size); steelyard_i++) { if (steelyard_i) steelyard_say(","); STEELYARD_PUT((items)[steelyard_i]); } \
    steelyard_say("]"); } while (0)
