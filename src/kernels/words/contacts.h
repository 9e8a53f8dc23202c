// contacts.h - the words of contacts, and the arguments of the kernels that report them. Part of kernels/types.h.

// Words of a contact as the kernels of report.kernel.h write it. The layout is that of the public clothc_contact.
const uint contact_words = 16u;
const uint contact_impulse = 7u;

// Kinds of shapes in a contact.
const uint contact_convex = 1u;
const uint contact_box = 2u;
const uint contact_triangle = 3u;
const uint contact_mesh = 4u;
const uint contact_sdf = 5u;
const uint contact_capsule = 6u;
const uint contact_sphere = 7u;
const uint contact_ellipsoid = 8u;

// Argument of begin_report and of the kernels that report collisions.
const uint report_writes = 1u;
// Words that reports need per particle.
const uint report_words = 18u;
