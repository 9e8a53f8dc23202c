/* user.c - a program of a project that contains clothc. run_test looks at its command line, and its long form runs it. */
#include <clothc.h>

int main(void) { return clothc_version() == 0; }
