// wide_kernels.h - the kernels of class lanes_wide, which a backend may compile again for batches of other widths. Include
// a dialect and its functions first.
#include "kernels/constraints/tethers.kernel.h"
#include "kernels/constraints/edges.kernel.h"
