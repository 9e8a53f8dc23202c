// flow_forms.cpp - branches, ends of threads, and barriers of blocks. The scheduler executes them, except for what
// threads compute together at a barrier.
#include "cuda/device/ptx/lanes.h"

namespace ptx {
namespace {

void add_flow(FormTable& table, const char* name, const char* operands, Flow flow) {
  Form form;
  form.name = name;
  form.operands = operands;
  form.flow = flow;
  table.add(form);
}

}  // namespace

void add_flow_forms(FormTable& table) {
  add_flow(table, "bra", "l", Flow::branch);
  add_flow(table, "bra.uni", "l", Flow::branch);
  add_flow(table, "ret", "", Flow::exit);
  add_flow(table, "exit", "", Flow::exit);
  add_flow(table, "trap", "", Flow::trap);
  add_flow(table, "bar.sync", "w", Flow::barrier);
  add_flow(table, "barrier.sync", "w", Flow::barrier);
  add_flow(table, "bar.red.popc.u32", "Wwp", Flow::barrier);
  add_flow(table, "bar.red.and.pred", "Pwp", Flow::barrier);
  add_flow(table, "bar.red.or.pred", "Pwp", Flow::barrier);
}

}  // namespace ptx
