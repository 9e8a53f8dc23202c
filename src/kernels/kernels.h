// kernels.h - every kernel body, in one order for all dialects. Include a dialect first.
// Kernels of the cloth and shape domains are scalar code: a SIMD dialect leaves them out by CLOTHC_LANE_KERNELS_ONLY.
#include "kernels/math.h"
#include "kernels/transcendental.h"

#include "kernels/places.kernel.h"

#include "kernels/integrate.kernel.h"
#include "kernels/wind.kernel.h"
#include "kernels/motion.kernel.h"
#include "kernels/tethers.kernel.h"
#include "kernels/edges.kernel.h"
#include "kernels/separation.kernel.h"
#include "kernels/collide.kernel.h"
#include "kernels/convex.kernel.h"
#include "kernels/tree.kernel.h"
#include "kernels/triangles.kernel.h"
#include "kernels/round.kernel.h"
#include "kernels/sweep.kernel.h"
#include "kernels/sleep.kernel.h"
#include "kernels/accept.kernel.h"
#include "kernels/present.kernel.h"
#include "kernels/surface.kernel.h"
#include "kernels/bounds.kernel.h"
#include "kernels/statistics.kernel.h"
#include "kernels/hash.kernel.h"
#ifndef CLOTHC_LANE_KERNELS_ONLY
#include "kernels/rates.kernel.h"
#include "kernels/frame.kernel.h"
#include "kernels/end.kernel.h"
#include "kernels/begin.kernel.h"
#include "kernels/roots.kernel.h"
#include "kernels/shapes.kernel.h"
#endif
