// mutated.h - formulae of kernels that the tests of mutations can replace.
#pragma once

#include <cstdlib>
#include <cstring>

// Whether the environment names this mutation.
static bool is_mutated(const char* name) {
  static const char* const chosen = std::getenv("CLOTHC_MUTATION");
  return chosen != nullptr && std::strcmp(chosen, name) == 0;
}

#define MUTATED(name, right, wrong) (is_mutated(#name) ? (wrong) : (right))
