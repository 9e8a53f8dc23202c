// interrupt.cpp - SIGINT and SIGTERM set a flag; the first signal restores the default action for the second one.
#include "cli/interrupt.h"

#include <csignal>

namespace clothc_tool {
namespace {

volatile std::sig_atomic_t signalled = 0;

void on_signal(int number) {
  signalled = 1;
  std::signal(number, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  signalled = 0;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::interrupted() { return signalled != 0; }

}  // namespace clothc_tool
