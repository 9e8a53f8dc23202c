/* user.c - a program of a project that contains clothc. run_test compiles it, and looks at its command line. */
#include <clothc.h>

int main(void) { return clothc_version() == 0; }
