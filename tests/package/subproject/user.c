/* user.c - a program of a project that contains clothc. run_test looks at its command line, and runs it in the long form. */
#include <clothc.h>

int main(void) { return clothc_version() == 0; }
