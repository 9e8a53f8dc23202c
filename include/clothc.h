/* clothc.h - the whole public contract of libclothc, a cloth simulation library.
 *
 * Copyright 2026 The clothc authors. SPDX-License-Identifier: Apache-2.0
 *
 * A device runs the work: the processor, or a GPU through Vulkan. A fabric is cooked once from a mesh and shared by any number of
 * cloths. A solver owns the particles of all its cloths and steps them together with clothc_solver_update.
 * Flat arrays travel in buffers; clothc_solver_set and clothc_solver_get copy between a buffer and a channel of
 * the solver, asynchronously and in the order of the calls.
 *
 * Conventions
 *  - Units: any consistent set; defaults suit metres, seconds and kilograms. Cross products are right-handed.
 *  - Every call returns a clothc_result: 0 success, > 0 a status, < 0 an error. A call that returns an error has
 *    changed nothing and written none of its outputs; clothc_last_error_message tells what to do about it.
 *  - Every struct passed in begins with struct_size. clothc_struct_init fills in the size and the defaults. A
 *    struct shorter than today's (from an older header) has defaults in its missing tail. The small element types
 *    of flat arrays (clothc_region, clothc_move) are fixed for good and carry no size.
 *  - Pointers passed in are borrowed for the duration of the call, and what they point at is copied, unless a
 *    comment says otherwise.
 *  - Handles are checked: null, stale, foreign or twice-destroyed ones give CLOTHC_ERROR_INVALID_HANDLE.
 *  - Calls that destroy or remove something need no memory: with a living handle or id they succeed when there is none left.
 *  - fork: a child has none of the library's threads, so a device made before the fork counts as lost there. Calls on it and
 *    on what was made from it return CLOTHC_ERROR_DEVICE_LOST at once, but for those that destroy the handles of devices,
 *    buffers, fences, fabrics and solvers: they succeed without waiting. They give back what the library holds, unless
 *    another thread was using it in a call during the fork, or it is a GPU driver's: that stays until the child ends or calls
 *    exec. A child may make devices of its own; whether a GPU's driver works there is up to the driver. The parent notices
 *    nothing. In the child no task from before the fork may run, and no call from before it may go on: who forks within a
 *    callback or task calls exec or _exit in the child without returning from it.
 *  - "Threads:" in a comment says who may call. Where it is absent: calls on one solver are the caller's to
 *    serialise; calls on different solvers, and on devices, buffers, fabrics and fences, may come from any thread.
 *
 * What this library does not do: rendering, rigid bodies, file formats. Results do not depend on the number of
 * threads, on the instruction set, or on the compiler: the same program gives the same bits everywhere.
 */
#ifndef CLOTHC_H
#define CLOTHC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define CLOTHC_CALL __cdecl
#if defined(CLOTHC_BUILD)
#define CLOTHC_API __declspec(dllexport)
#else
#define CLOTHC_API __declspec(dllimport)
#endif
#else
#define CLOTHC_CALL
#define CLOTHC_API __attribute__((visibility("default")))
#endif

#define CLOTHC_VERSION_MAJOR 0
#define CLOTHC_VERSION_MINOR 1
#define CLOTHC_VERSION_PATCH 0

/* Time-out that never passes, in nanoseconds. */
#define CLOTHC_WAIT_FOREVER UINT64_MAX

/* ---------------------------------------------------------------------------------------------- results */

/** Result of every call: 0 success, positive a status, negative an error. */
typedef int32_t clothc_result;
enum {
  CLOTHC_SUCCESS = 0,
  CLOTHC_NOT_READY = 1,  /* the work asked about is still running, or the call would have had to wait */
  CLOTHC_TIMEOUT = 2,    /* the time-out passed before the work ended */
  CLOTHC_INCOMPLETE = 3, /* the caller's array was too short: filled as far as it goes, count says how many */
  CLOTHC_ERROR_INVALID_ARGUMENT = -1, /* a value is null, out of its documented range, or not finite */
  CLOTHC_ERROR_INVALID_HANDLE = -2,   /* a handle or id is null, stale, or names another kind of object */
  CLOTHC_ERROR_INVALID_STRUCT = -3,   /* struct_size is one no release ever had: clothc_struct_init was forgotten */
  CLOTHC_ERROR_INVALID_STATE = -4,    /* the object is not in a state that allows the call (a mapped buffer, ...) */
  CLOTHC_ERROR_OUT_OF_MEMORY = -5,    /* memory, on the host or the device, ran out */
  CLOTHC_ERROR_CAPACITY = -6,    /* a capacity given at creation is used up; the message names the field to raise */
  CLOTHC_ERROR_UNSUPPORTED = -7, /* this build, backend or device cannot do it */
  CLOTHC_ERROR_DEVICE_LOST = -8, /* the device failed, or was made before a fork; sticky until it is destroyed */
  CLOTHC_ERROR_INTERNAL = -9     /* a defect of this library; please report it */
};

/* ---------------------------------------------------------------------------------------------- handles */

typedef struct clothc_device_t* clothc_device; /* runs the work of everything made from it */
typedef struct clothc_buffer_t* clothc_buffer; /* flat typed memory */
typedef struct clothc_fabric_t* clothc_fabric; /* cooked, immutable constraints of a piece of cloth */
typedef struct clothc_solver_t* clothc_solver; /* particles and cloths that are stepped together */
typedef struct clothc_fence_t* clothc_fence;   /* a 64-bit timeline */

/** Name of a cloth within its solver; never 0, and never reused for another cloth. */
typedef uint32_t clothc_cloth_id;
/** Name of a collider set within its solver; never 0, and never reused for another set. */
typedef uint32_t clothc_collider_set_id;

/** Name of a mesh or signed distance field that collider sets show, within its solver; never 0, and never reused. */
typedef uint32_t clothc_collider_asset_id;

/* -------------------------------------------------------------------------------- structs, version, messages */

/** Kinds of struct for clothc_struct_init. */
typedef uint32_t clothc_struct_kind;
enum {
  CLOTHC_STRUCT_DEVICE_DESC = 1,
  CLOTHC_STRUCT_DEVICE_INFO = 2,
  CLOTHC_STRUCT_BUFFER_DESC = 3,
  CLOTHC_STRUCT_BUFFER_INFO = 4,
  CLOTHC_STRUCT_MESH_DESC = 5,
  CLOTHC_STRUCT_FABRIC_DESC = 6,
  CLOTHC_STRUCT_FABRIC_INFO = 7,
  CLOTHC_STRUCT_SOLVER_DESC = 8,
  CLOTHC_STRUCT_SOLVER_INFO = 9,
  CLOTHC_STRUCT_CLOTH_DESC = 10,
  CLOTHC_STRUCT_CLOTH_INFO = 11,
  CLOTHC_STRUCT_CLOTH_PARAMETERS = 12,
  CLOTHC_STRUCT_CLOTH_STATUS = 13,
  CLOTHC_STRUCT_PHASE_CONFIG = 14,
  CLOTHC_STRUCT_COLLIDER_SHAPES = 15,
  CLOTHC_STRUCT_CHANNEL_INFO = 16,
  CLOTHC_STRUCT_VIEW = 17,
  CLOTHC_STRUCT_UPDATE = 18,
  CLOTHC_STRUCT_EXTERNAL_HANDLE = 19,
  CLOTHC_STRUCT_DIAGNOSTIC = 20,
  CLOTHC_STRUCT_CLOTH_FRAME = 21,
  CLOTHC_STRUCT_COLLIDER_MESH_DESC = 22,
  CLOTHC_STRUCT_SDF_COOK_DESC = 23,
  CLOTHC_STRUCT_SDF_DESC = 24,
  CLOTHC_STRUCT_CONTACT = 25
};

/** Fills a struct with its defaults and sets its struct_size, writing no byte beyond size.
 *  size: sizeof of the caller's struct; smaller than the library's for a program built with an older header.
 *  Errors: INVALID_ARGUMENT for an unknown kind, a null pointer, or a size no release had. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_struct_init(clothc_struct_kind kind, void* pointer, size_t size);

/** Returns the version of the loaded library as major << 16 | minor << 8 | patch. Threads: any. */
CLOTHC_API uint32_t CLOTHC_CALL clothc_version(void);

/** Returns the message of this thread's last failing call: what was wrong, the value seen, and the remedy.
 *  Lifetime: valid until this thread's next failing call; "" before the first. Threads: any. */
CLOTHC_API const char* CLOTHC_CALL clothc_last_error_message(void);

/** Returns the name of a result, such as "CLOTHC_ERROR_CAPACITY", or "unknown result". Threads: any. */
CLOTHC_API const char* CLOTHC_CALL clothc_result_name(clothc_result result);

/* ---------------------------------------------------------------------------------------------- device */

typedef uint32_t clothc_backend;
enum { CLOTHC_BACKEND_AUTO = 0, CLOTHC_BACKEND_CPU = 1, CLOTHC_BACKEND_CUDA = 2, CLOTHC_BACKEND_VULKAN = 3 };

/** Instruction sets of the CPU backend. AUTO takes the fastest that this machine runs. */
typedef uint32_t clothc_isa;
enum {
  CLOTHC_ISA_AUTO = 0,
  CLOTHC_ISA_SCALAR = 1,
  CLOTHC_ISA_SSE4_1 = 2,
  CLOTHC_ISA_AVX2 = 3,
  CLOTHC_ISA_AVX512 = 4,
  CLOTHC_ISA_NEON = 5
};

/** Capability flags of a device. */
enum {
  CLOTHC_CAPABILITY_STRICT_PARITY = 1 << 0,         /* gives the same bits as every other device with this flag */
  CLOTHC_CAPABILITY_APPLICATION_TASKS = 1 << 1,     /* can run in the application's scheduler (submit callback) */
  CLOTHC_CAPABILITY_WRAPPED_HOST = 1 << 2,          /* supports CLOTHC_BUFFER_WRAPPED_HOST */
  CLOTHC_CAPABILITY_EXTERNAL_MEMORY_FD = 1 << 3,    /* supports EXPORTABLE and IMPORTED buffers, by file descriptor */
  CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_FD = 1 << 4, /* exports and imports fences as timeline semaphores, likewise */
  CLOTHC_CAPABILITY_SOFTWARE_DEVICE = 1 << 5        /* a GPU's driver that runs on the processor; AUTO passes it over */
};

/** Allocates size bytes at the given power-of-two alignment, or returns NULL. Threads: called from any. */
typedef void*(CLOTHC_CALL* clothc_allocate_callback)(size_t size, size_t alignment, void* user);
/** Frees what the allocate callback returned; never called with NULL. Threads: called from any. */
typedef void(CLOTHC_CALL* clothc_free_callback)(void* pointer, void* user);
/** Receives the message of a failing call on the thread that made the call, while it is inside it.
 *  Lifetime: message is valid during the callback only. */
typedef void(CLOTHC_CALL* clothc_message_callback)(clothc_result result, const char* message, void* user);
/** A task of the library: runs to its end, never waits for another task, and takes 64 KiB of stack at most. */
typedef void(CLOTHC_CALL* clothc_task)(void* argument);
/** Makes the application's scheduler call task(argument) once, soon, on any thread but not before returning.
 *  Threads: called from any thread that is inside a clothc call or inside a task. */
typedef void(CLOTHC_CALL* clothc_submit_callback)(clothc_task task, void* argument, void* user);

/** Device flags. On the processor a thread that calls does work itself which takes some 10 microseconds or less, such as the
 *  update of 200 particles or a get of 2,000, if nothing is queued before it: waking another thread takes as long. It takes
 *  as much stack as a task then. */
enum { CLOTHC_DEVICE_TASKS_ONLY = 1 << 0 /* CPU: not so; all work is done in tasks, or in the library's threads */ };

/** How to make a device. */
typedef struct clothc_device_desc {
  uint32_t struct_size;
  clothc_backend backend; /* default AUTO: the best that works; device_info.reason says why */
  uint32_t device_index;  /* among the devices of that backend; default 0 */
  uint32_t worker_count;  /* CPU threads (or, with submit, tasks at a time); 0 = as many as the machine has; max 256 */
  clothc_isa isa;         /* CPU: force an instruction set; default AUTO */
  uint32_t flags;         /* CLOTHC_DEVICE_...; default 0 */
  clothc_allocate_callback allocate; /* CPU: for the device's arrays; NULL = the C library's; both or neither */
  clothc_free_callback free;
  void* allocator_user;
  clothc_message_callback message; /* NULL = none */
  void* message_user;
  clothc_submit_callback submit; /* NULL = the library's own threads */
  void* submit_user;
  uint8_t uuid[16]; /* the device with this UUID, whatever its index; default all 0 = by device_index */
  uint32_t
      hang_timeout_ms; /* GPU: without progress for so long, the device counts as lost; 100 .. 3600000, default 60000 */
  uint32_t reserved;   /* must be 0 */
} clothc_device_desc;

/** What a device is, or why it is absent. */
typedef struct clothc_device_info {
  uint32_t struct_size;
  clothc_backend backend;
  uint32_t device_index;
  uint32_t available;    /* 1 if clothc_device_create can make it */
  uint32_t capabilities; /* CLOTHC_CAPABILITY_... */
  clothc_isa isa;        /* CPU: the instruction set used */
  uint32_t worker_count; /* CPU: threads used */
  uint32_t isa_mask;     /* CPU: bit 1 << CLOTHC_ISA_x for each one this machine runs */
  uint64_t memory_size;  /* bytes of memory, 0 if unknown */
  uint8_t uuid[16];      /* zero where the backend has none */
  uint8_t luid[8];
  uint32_t pci[4];  /* domain, bus, device, function; zero where there is none */
  char name[128];   /* of the processor or GPU */
  char reason[256]; /* why it is absent; of a device made with AUTO, why it was chosen and others passed over */
} clothc_device_info;

/** Lists all backends and devices of this machine, absent ones included with their reason.
 *  infos: [*count], may be NULL to ask for the count; infos[0].struct_size is the stride and must be set.
 *  count: in, the length of infos; out, the number of devices listed (with NULL infos: that exist).
 *  Errors: INVALID_ARGUMENT, INVALID_STRUCT; INCOMPLETE if infos was too short. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_enumerate(clothc_device_info* infos, uint32_t* count);

/** Creates a device.
 *  Errors: INVALID_ARGUMENT, INVALID_STRUCT, UNSUPPORTED (no such backend, device or instruction set here),
 *  OUT_OF_MEMORY. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_create(const clothc_device_desc* desc, clothc_device* device);

/** Destroys a device and everything made from it, waits for its work, and joins its threads.
 *  Handles of its children become invalid. Threads: any, but not from inside a task or callback. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_destroy(clothc_device device);

/** Tells what a device is. Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_get_info(clothc_device device, clothc_device_info* info);

/* ---------------------------------------------------------------------------------------------- buffer */

/** Element formats. */
typedef uint32_t clothc_format;
enum {
  CLOTHC_FORMAT_FLOAT = 1,  /* 4 bytes */
  CLOTHC_FORMAT_FLOAT3 = 2, /* 12 bytes, x y z */
  CLOTHC_FORMAT_FLOAT4 = 3, /* 16 bytes, x y z w */
  CLOTHC_FORMAT_UINT = 4,   /* 4 bytes */
  CLOTHC_FORMAT_RECORD = 5  /* stride bytes, a struct that begins with struct_size; or any layout read through a view */
};

typedef uint32_t clothc_buffer_kind;
enum {
  CLOTHC_BUFFER_HOST = 1,         /* memory of the library, mappable */
  CLOTHC_BUFFER_WRAPPED_HOST = 2, /* memory of the caller, borrowed until the buffer is destroyed */
  CLOTHC_BUFFER_DEVICE = 3, /* memory that the device reaches fastest; not mappable: sets, gets, read and write copy */
  CLOTHC_BUFFER_EXPORTABLE = 4, /* DEVICE memory that clothc_buffer_export gives to other devices and APIs */
  CLOTHC_BUFFER_IMPORTED = 5    /* memory that another device, API or process exported; not mappable */
};

/** A handle of the operating system, by which devices, APIs and processes share memory or a timeline. */
typedef uint32_t clothc_external_type;
enum { CLOTHC_EXTERNAL_OPAQUE_FD = 1 /* a POSIX file descriptor, as Vulkan and CUDA call it: OPAQUE_FD */ };
typedef struct clothc_external_handle {
  uint32_t struct_size;
  clothc_external_type type; /* default OPAQUE_FD */
  int64_t handle;            /* the file descriptor; default -1 */
  uint64_t size;             /* memory: bytes of the whole allocation; fences: 0 */
  uint64_t offset;           /* memory: byte of the allocation where the buffer begins, multiple of 256; fences: 0 */
} clothc_external_handle;

/** How to make a buffer. */
typedef struct clothc_buffer_desc {
  uint32_t struct_size;
  clothc_buffer_kind kind; /* default HOST */
  clothc_format format;    /* default FLOAT4 */
  uint32_t
      stride;     /* bytes from element to element, a multiple of 4, at most 4096; default 0 = tight (not for RECORD) */
  uint64_t count; /* elements, 1 .. 2^31 */
  void* memory;   /* WRAPPED_HOST: [count] elements, aligned to 4 bytes; otherwise NULL */
  const clothc_external_handle*
      external; /* IMPORTED: what was exported; the file descriptor is taken over if the call */
                /* succeeds, and left alone otherwise; for other kinds NULL */
} clothc_buffer_desc;

/** What a buffer is. */
typedef struct clothc_buffer_info {
  uint32_t struct_size;
  clothc_buffer_kind kind;
  clothc_format format;
  uint32_t stride;
  uint64_t count;
  uint64_t size;   /* bytes: stride * count */
  uint32_t mapped; /* 1 while mapped */
  uint32_t busy;   /* 1 while sets or gets that use it have not ended */
} clothc_buffer_info;

/** Map flags. */
enum {
  CLOTHC_MAP_READ = 1 << 0,
  CLOTHC_MAP_WRITE = 1 << 1,
  CLOTHC_MAP_DISCARD = 1 << 2, /* with WRITE: old contents are not wanted; never waits (HOST: the memory is renamed) */
  CLOTHC_MAP_NO_WAIT = 1 << 3  /* return NOT_READY instead of waiting for the buffer's sets and gets */
};

/** Creates a buffer. Memory of the library is zero at first.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT, OUT_OF_MEMORY; UNSUPPORTED for kinds whose capability the
 *  device lacks (WRAPPED_HOST, EXPORTABLE, IMPORTED; HOST and DEVICE always work). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_create(clothc_device device, const clothc_buffer_desc* desc,
                                                          clothc_buffer* buffer);

/** Exports the memory of an EXPORTABLE buffer, for import by another device of this library, by Vulkan or by CUDA.
 *  external: receives a new file descriptor, which the caller closes or gives away, and what an importer must know.
 *  Lifetime: the memory lives as long as the buffer or an import of it. Whoever reads it waits for the get first.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (null), INVALID_STRUCT, INVALID_STATE (another kind of buffer),
 *  OUT_OF_MEMORY. Source: Vulkan specification, VK_KHR_external_memory_fd. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_export(clothc_buffer buffer, clothc_external_handle* external);

/** Destroys a buffer, mapped or not, after the sets and gets that use it; waits for them if it is WRAPPED_HOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_destroy(clothc_buffer buffer);

/** Tells what a buffer is. Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_get_info(clothc_buffer buffer, clothc_buffer_info* info);

/** Maps a buffer for the host, waiting for that buffer's own sets and gets only; one mapping at a time.
 *  flags: READ, WRITE or both, with DISCARD and NO_WAIT as wanted. pointer: to element 0, aligned to 64 bytes for
 *  HOST buffers. Lifetime: until unmap.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (flags), INVALID_STATE (already mapped, or a kind that is not mappable),
 *  DEVICE_LOST (if there is work to wait for); NOT_READY with NO_WAIT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_map(clothc_buffer buffer, uint32_t flags, void** pointer);

/** Ends the mapping. Errors: INVALID_HANDLE, INVALID_STATE (not mapped). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_unmap(clothc_buffer buffer);

/** Copies size bytes at offset out of a buffer, waiting for the sets and gets that use it.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (null, or beyond the end), INVALID_STATE (mapped), DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_read(clothc_buffer buffer, uint64_t offset, uint64_t size,
                                                        void* data);

/** Copies size bytes into a buffer at offset, waiting for the sets and gets that use it.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (null, or beyond the end), INVALID_STATE (mapped), DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_write(clothc_buffer buffer, uint64_t offset, uint64_t size,
                                                         const void* data);

/* ---------------------------------------------------------------------------------------------- fence */

/** Creates a fence: a 64-bit value that only grows. Errors: INVALID_HANDLE, INVALID_ARGUMENT, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_create(clothc_device device, uint64_t value, clothc_fence* fence);

/** Exports a fence as a timeline semaphore, for import by Vulkan, CUDA or another device of this library.
 *  external: receives a new file descriptor, which the caller closes or gives away. What this library signals reaches the
 *  semaphore on the device, without the host; what others signal on it reaches the fence.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (null), INVALID_STRUCT, OUT_OF_MEMORY, DEVICE_LOST; UNSUPPORTED where the
 *  device lacks EXTERNAL_SEMAPHORE_FD. Source: Vulkan specification, VK_KHR_external_semaphore_fd. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_export(clothc_fence fence, clothc_external_handle* external);

/** Creates a fence from a timeline semaphore that another device, API or process exported.
 *  external: the file descriptor is taken over if the call succeeds, and left alone otherwise.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT, OUT_OF_MEMORY, DEVICE_LOST; UNSUPPORTED where the device
 *  lacks EXTERNAL_SEMAPHORE_FD. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_import(clothc_device device, const clothc_external_handle* external,
                                                         clothc_fence* fence);

/** Destroys a fence; updates that already wait for it or signal it keep it until they have. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_destroy(clothc_fence fence);

/** Raises the fence to value from the host; lower or equal values are an error.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (value not above the present one). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_signal(clothc_fence fence, uint64_t value);

/** Waits until the fence has reached value, at most timeout_ns nanoseconds; 0 only asks.
 *  Errors: INVALID_HANDLE, DEVICE_LOST (the work that was to raise it will not end); TIMEOUT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_wait(clothc_fence fence, uint64_t value, uint64_t timeout_ns);

/** Reads the fence's present value. Errors: INVALID_HANDLE, INVALID_ARGUMENT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_get_value(clothc_fence fence, uint64_t* value);

/* ---------------------------------------------------------------------------------------------- fabric */

/** What a phase's constraints are for; information to the caller, of no effect in the solver. */
typedef uint32_t clothc_phase_type;
enum {
  CLOTHC_PHASE_OTHER = 0,
  CLOTHC_PHASE_STRETCH = 1, /* along the mesh's edges */
  CLOTHC_PHASE_SHEAR = 2,   /* across the diagonals of quads */
  CLOTHC_PHASE_BEND = 3,    /* between vertices two edges apart */
  /* In place of STRETCH, for meshes cooked with texture coordinates or a gravity hint: */
  CLOTHC_PHASE_VERTICAL = 4,   /* edges within 45 degrees of the gravity hint */
  CLOTHC_PHASE_HORIZONTAL = 5, /* the other edges */
  CLOTHC_PHASE_WARP = 6,       /* edges within 45 degrees of the direction of v in texture space */
  CLOTHC_PHASE_WEFT = 7,       /* the other edges */
  CLOTHC_PHASE_LONG_RANGE =
      8 /* keeps particles several edges apart from getting farther apart, never from coming nearer: */
        /* limits and stiffness_values do not count, stiffness does; not in STRETCH statistics */
};

/** Cook flags. */
enum {
  CLOTHC_COOK_NO_SHEAR = 1 << 0,   /* leave out the shear phase */
  CLOTHC_COOK_NO_BEND = 1 << 1,    /* leave out the bend phase */
  CLOTHC_COOK_NO_TETHERS = 1 << 2, /* leave out tethers */
  CLOTHC_COOK_QUADIFY =
      1 << 3, /* merge pairs of triangles that make a good quad: their diagonal shears, not stretches */
  CLOTHC_COOK_KEEP_ORDER = 1 << 4 /* store particles in the mesh's order even where another one is faster */
};

/** A mesh to cook: triangles, quads or both. */
typedef struct clothc_mesh_desc {
  uint32_t struct_size;
  uint32_t flags;               /* CLOTHC_COOK_... */
  uint64_t vertex_count;        /* 1 .. 2^24 */
  const float* positions;       /* [vertex_count] of x y z, finite, |component| <= 1e9 */
  uint64_t position_stride;     /* bytes, multiple of 4; 0 = 12 */
  const float* inverse_masses;  /* [vertex_count], 1/kg, 0 = pinned, 0 .. 1e9; NULL = all 1, or from areal_density */
  uint64_t inverse_mass_stride; /* bytes, multiple of 4; 0 = 4 */
  uint64_t triangle_count;      /* may be 0 */
  const void* triangles;        /* [triangle_count][3] vertex indices */
  uint64_t quad_count;          /* may be 0 */
  const void* quads;            /* [quad_count][4] vertex indices, in order around the quad */
  uint32_t index_size;          /* bytes per index: 2 or 4; default 4 */
  float
      weld_distance; /* vertices this close become one particle; 0 = only identical ones; negative = never; default 0 */
  float areal_density; /* kg/m2: masses from a third of each triangle's area; inverse_masses then only pins (0) */
                       /* default 0 = take inverse_masses as they are; 0 .. 1e6 */
  uint32_t tethers_per_particle; /* geodesic tethers to the nearest pinned particles; 1 .. 4, default 1 */
  uint64_t triangle_stride;      /* bytes, multiple of index_size; 0 = tight */
  uint64_t quad_stride;          /* bytes, multiple of index_size; 0 = tight */
  const float* stiffness;    /* [vertex_count], 0 .. 1: a constraint has the mean of its two vertices, in place of */
                             /* its phase's stiffness; NULL = the phases' */
  uint64_t stiffness_stride; /* bytes, multiple of 4; 0 = 4 */
  const float* texture_coordinates;   /* [vertex_count] of u v, finite: edges are warp or weft; NULL = none */
  uint64_t texture_coordinate_stride; /* bytes, multiple of 4; 0 = 8 */
  float gravity_hint[3]; /* direction, any length: without texture coordinates edges are vertical or horizontal; */
                         /* default 0 0 0: one stretch phase */
  /* Points of each triangle that collide too: 0 = none, or 1, 4, 9 .. 64, the centres of as many equal parts of it. A */
  /* quad is two triangles. At most 2^24 in all; default 0. */
  uint32_t virtual_particles_per_triangle;
  /* A LONG_RANGE phase each, solved in this order: particles so many edges apart along a line of quads (also of triangles merged */
  /* by QUADIFY) may not get farther apart than that line is long at rest. With 12, 4, the longest first, cloth stretches */
  /* a third to a sixth as much for 1.5 times the cost. None where a vertex on the way has a stiffness below 1. 0 = none, */
  /* 2 .. 64; default 0 0 0 0. */
  uint32_t long_range_edges[4];
} clothc_mesh_desc;

/** A fabric given as flat arrays, in the shape that cookers and exporters of other engines produce. */
typedef struct clothc_fabric_desc {
  uint32_t struct_size;
  uint32_t particle_count;     /* 1 .. 2^24 */
  uint32_t phase_count;        /* may be 0 */
  uint32_t set_count;          /* may be 0 */
  uint64_t constraint_count;   /* may be 0 */
  const uint32_t* phase_sets;  /* [phase_count] set of each phase */
  const uint32_t* phase_types; /* [phase_count] clothc_phase_type, or NULL = OTHER */
  const uint32_t*
      set_ends; /* [set_count] end of each set in the constraints: inclusive prefix sums, last = constraint_count */
  const uint32_t* indices;           /* [constraint_count][2] particles of each constraint, two different ones */
  const float* rest_lengths;         /* [constraint_count] m, 0 .. 4e9; 0 = the constraint is ignored */
  const float* stiffness_values;     /* [constraint_count] 0 .. 1, overrides the phases' stiffness; or NULL */
  uint32_t tethers_per_particle;     /* 0 .. 1024 */
  uint32_t triangle_count;           /* may be 0 */
  const uint32_t* tether_anchors;    /* [tethers_per_particle][particle_count] */
  const float* tether_lengths;       /* [tethers_per_particle][particle_count] m, 0 .. 4e9 */
  const uint32_t* triangles;         /* [triangle_count][3] */
  const float* positions;            /* [particle_count][4] x y z 1/m, used by cloths that give none; or NULL */
  uint32_t flags;                    /* CLOTHC_FABRIC_... */
  uint32_t reserved;                 /* must be 0 */
  const float* texture_coordinates;  /* [particle_count] of u v, finite, |component| <= 1e9: for tangents; or NULL */
  uint32_t virtual_particle_count;   /* points of the cloth that collide beside its particles; 0 .. 2^24; default 0 */
  uint32_t virtual_weight_count;     /* 0 .. 2^24; default 0 */
  const uint32_t* virtual_particles; /* [virtual_particle_count][4] three different particles and a row of weights */
  const float* virtual_weights; /* [virtual_weight_count][3] of the three particles, each 0 .. 1, sum 1 within 1e-3 */
} clothc_fabric_desc;

/** Flags of raw fabrics. */
enum {
  /* Store particles in a faster order if there is one; results stay the same. */
  CLOTHC_FABRIC_REORDER = 1 << 0,
  /* Constraints and tethers have exact lengths, however short, as those of cooked fabrics have. Without it 1.19e-7 m2 is */
  /* added to the square of a length, as in NvCloth, which makes an edge of 1 mm too short by 6 %. */
  CLOTHC_FABRIC_EXACT_LENGTHS = 1 << 1
};

/** What a fabric holds, and what the cooker found on the way. */
typedef struct clothc_fabric_info {
  uint32_t struct_size;
  uint32_t particle_count;
  uint32_t vertex_count; /* of the mesh it was cooked from; = particle_count for raw fabrics */
  uint32_t phase_count;
  uint32_t set_count;
  uint32_t colour_count; /* groups of constraints that share no particle */
  uint64_t constraint_count;
  uint32_t tethers_per_particle;
  uint32_t triangle_count;
  uint64_t content_hash;              /* of everything that affects the simulation */
  uint32_t welded_vertex_count;       /* vertices merged into an earlier one */
  uint32_t dropped_triangle_count;    /* degenerate triangles or quads left out */
  uint32_t first_dropped_triangle;    /* index in triangles then quads, or UINT32_MAX */
  uint32_t non_manifold_edge_count;   /* edges with more than two faces */
  uint32_t component_count;           /* pieces not connected by any edge */
  uint32_t isolated_particle_count;   /* particles without any face */
  uint32_t first_isolated_particle;   /* or UINT32_MAX */
  uint32_t pinned_particle_count;     /* inverse mass 0 */
  uint32_t untethered_particle_count; /* free particles no pinned one is connected with */
  uint32_t reserved;
  uint32_t diagnostic_count;      /* for clothc_fabric_get_diagnostic */
  uint32_t merged_triangle_count; /* pairs of triangles that QUADIFY merged */
  uint32_t reordered;             /* 1 if particles are stored in another order than the mesh's */
  uint32_t virtual_particle_count;
} clothc_fabric_info;

/** What a diagnostic of the cooker is about; the comment says which element of the mesh is named, and what was done. */
typedef uint32_t clothc_diagnostic_kind;
enum {
  CLOTHC_DIAGNOSTIC_REPEATED_VERTEX = 1,   /* face: two corners are one particle; left out, or a quad made a triangle */
  CLOTHC_DIAGNOSTIC_FLAT_FACE = 2,         /* face: its corners lie on a line; left out */
  CLOTHC_DIAGNOSTIC_DUPLICATE_FACE = 3,    /* face, and the earlier one on the same particles; left out */
  CLOTHC_DIAGNOSTIC_NON_MANIFOLD_EDGE = 4, /* edge: more than two faces; kept, nothing bends across it */
  CLOTHC_DIAGNOSTIC_FLIPPED_FACE = 5,      /* edge: its two faces wind opposite ways; kept, normals disagree there */
  CLOTHC_DIAGNOSTIC_ISOLATED_VERTEX = 6,   /* vertex: in no face; a particle on its own */
  CLOTHC_DIAGNOSTIC_UNPINNED_PIECE = 7,  /* vertex of a piece without a pinned particle, where other pieces have one */
  CLOTHC_DIAGNOSTIC_UNWELDED_VERTEX = 8, /* two vertices so close that they may be meant as one; kept apart */
  CLOTHC_DIAGNOSTIC_MANY_EDGES = 9,      /* vertex with so many edges that they are solved in many small colours */
  CLOTHC_DIAGNOSTIC_SHORT_EDGE = 10,     /* edge far shorter than most; it makes the cloth around it stiff */
  CLOTHC_DIAGNOSTIC_LOW_PRECISION = 11,  /* edge: so short for its distance from the origin that floats distort it */
  CLOTHC_DIAGNOSTIC_MASS_LIMITED = 12,   /* vertex: its area gives a mass below 1e-9 kg; 1e-9 kg was taken */
  CLOTHC_DIAGNOSTIC_PIECES = 13 /* vertex of a second piece: nothing but pins and colliders holds pieces together */
};

/** One thing that the cooker found in a mesh. Of each kind the first 16 are kept, in the mesh's order. */
typedef struct clothc_diagnostic {
  uint32_t struct_size;
  clothc_diagnostic_kind kind;
  uint32_t first;    /* vertex; or face, counted through triangles, then quads; or an edge's first vertex */
  uint32_t second;   /* the other vertex or face, UINT32_MAX if there is none */
  uint64_t count;    /* diagnostics of this kind, this one included */
  float value;       /* of this one: a length in m, a number of edges or faces, or 0 */
  uint32_t warning;  /* 1 if the cloth may misbehave; 0 if it is good to know */
  char message[256]; /* a sentence that names the element and says what to do */
} clothc_diagnostic;

/** Arrays of a fabric that clothc_fabric_read copies out. */
typedef uint32_t clothc_fabric_array;
enum {
  CLOTHC_FABRIC_VERTEX_MAP = 1,           /* uint32 [vertex_count] particle of each mesh vertex */
  CLOTHC_FABRIC_POSITIONS = 2,            /* float [particle_count][4]; empty if the fabric has none */
  CLOTHC_FABRIC_PHASE_SETS = 3,           /* uint32 [phase_count] */
  CLOTHC_FABRIC_PHASE_TYPES = 4,          /* uint32 [phase_count] */
  CLOTHC_FABRIC_SET_ENDS = 5,             /* uint32 [set_count] */
  CLOTHC_FABRIC_INDICES = 6,              /* uint32 [constraint_count][2] in the order of the sets */
  CLOTHC_FABRIC_REST_LENGTHS = 7,         /* float [constraint_count] */
  CLOTHC_FABRIC_STIFFNESS_VALUES = 8,     /* float [constraint_count]; empty if the phases' stiffness is used */
  CLOTHC_FABRIC_TETHER_ANCHORS = 9,       /* uint32 [tethers_per_particle][particle_count] */
  CLOTHC_FABRIC_TETHER_LENGTHS = 10,      /* float [tethers_per_particle][particle_count] */
  CLOTHC_FABRIC_TRIANGLES = 11,           /* uint32 [triangle_count][3] particles; quads as two triangles */
  CLOTHC_FABRIC_TRIANGLE_VERTICES = 12,   /* uint32 [triangle_count][3] vertices of the mesh; empty without the next */
  CLOTHC_FABRIC_TEXTURE_COORDINATES = 13, /* float [vertex_count][2]; empty if the fabric has none */
  CLOTHC_FABRIC_VIRTUAL_PARTICLES = 14,   /* uint32 [virtual_particle_count][4] three particles and a row of weights */
  CLOTHC_FABRIC_VIRTUAL_WEIGHTS = 15      /* float [rows][3] weights of the three particles */
};

/** Cooks a mesh into a fabric: welds, finds the stretch, shear and bend constraints and geodesic tethers, and
 *  colours them so that constraints of one colour share no particle. Degenerate faces are dropped and counted.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT naming the vertex or face, OUT_OF_MEMORY.
 *  Source: PhysX 3.4 manual, Cloth, "Fabric cooking"; Kim, Chentanez and Mueller 2012 (tethers). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_cook(clothc_device device, const clothc_mesh_desc* mesh,
                                                        clothc_fabric* fabric);

/** Tells one thing that the cooker found in the mesh, such as a face that it left out; index: below diagnostic_count.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (index), INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_get_diagnostic(clothc_fabric fabric, uint32_t index,
                                                                  clothc_diagnostic* diagnostic);

/** Writes a fabric as a blob that clothc_fabric_load reads, on any machine: little-endian, versioned, with a checksum,
 *  arrays at multiples of 64 bytes. A mapped file can be passed to load as it is.
 *  data: NULL to ask for the size. size: in, the bytes at data; out, the bytes of the blob.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (size too small; nothing is written), OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_save(clothc_fabric fabric, void* data, uint64_t* size);

/** Makes a fabric from a blob, with the same content hash as the one saved. data: [size] bytes, at any alignment.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (truncated, foreign, damaged or newer blob), OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_load(clothc_device device, const void* data, uint64_t size,
                                                        clothc_fabric* fabric);

/** Makes a fabric from flat arrays, keeping the order of constraints; a set whose constraints share particles is
 *  split into consecutive independent groups, which gives the same result as solving them in order.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT naming the entry, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_create(clothc_device device, const clothc_fabric_desc* desc,
                                                          clothc_fabric* fabric);

/** Destroys a fabric; cloths that use it keep what they need. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_destroy(clothc_fabric fabric);

/** Tells what a fabric holds. Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_get_info(clothc_fabric fabric, clothc_fabric_info* info);

/** Copies one array of a fabric out. data: NULL to ask for the size. size: in, the bytes at data; out, the bytes
 *  of the array. Errors: INVALID_HANDLE, INVALID_ARGUMENT (unknown array, size too small; nothing is copied). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_read(clothc_fabric fabric, clothc_fabric_array array, void* data,
                                                        uint64_t* size);

/* ---------------------------------------------------------------------------------------------- solver */

/** How work is spread over workers; never changes results.
 *  AUTO: PASS for a cloth of 4,096 particles or more that has more than a worker's part of the solver's, and CLOTH for all
 *  others. On the CPU, where updates are queued faster than they run, PASS pays for smaller ones too: see
 *  docs/performance.md. */
typedef uint32_t clothc_schedule;
enum {
  CLOTHC_SCHEDULE_AUTO = 0,
  CLOTHC_SCHEDULE_CLOTH = 1, /* one worker takes a cloth through all iterations of the frame, unless a GPU forbids it */
  CLOTHC_SCHEDULE_PASS = 2   /* every pass is split over all workers */
};

/** How to make a solver. */
typedef struct clothc_solver_desc {
  uint32_t struct_size;
  uint32_t
      particle_capacity; /* of all cloths together, each rounded up to a multiple of 16 after adding one; 1 .. 2^26; default 65536 */
  uint32_t cloth_capacity;        /* 1 .. 2^20; default 1024 */
  uint32_t collider_set_capacity; /* 0 .. 2^20; default 256 */
  clothc_schedule schedule;       /* default AUTO */
  uint32_t updates_in_flight;     /* updates queued before a further one waits; 1 .. 16, default 3 */
  uint32_t contact_capacity;      /* contacts that an update reports, 0 .. 2^24; default 0 */
  uint32_t reserved;              /* must be 0 */
} clothc_solver_desc;

/** What a solver holds and has done. */
typedef struct clothc_solver_info {
  uint32_t struct_size;
  uint32_t particle_capacity; /* rounded up to a multiple of 16: the number of elements of per-particle channels */
  uint32_t particle_count;    /* of all cloths, without padding */
  uint32_t largest_hole;      /* particles in the largest free range */
  uint32_t cloth_capacity;
  uint32_t cloth_count;
  uint32_t collider_set_capacity;
  uint32_t collider_set_count;
  uint64_t update_count;            /* updates queued since creation */
  uint64_t timeline_value;          /* the value that the last queued call will reach */
  uint64_t completed_value;         /* the value reached by now */
  uint64_t uploaded_byte_count;     /* bytes the library has sent to the device on its own account, since creation */
  uint64_t last_update_upload;      /* of these, for the last update */
  uint64_t last_update_passes;      /* passes (or, per cloth, programs) the last update ran */
  uint64_t last_update_submissions; /* hand-overs to a GPU's queue by the last update */
  uint64_t last_update_dispatches;  /* kernels that the last update starts on a GPU */
  uint64_t device_allocation_count; /* blocks of memory that the device has been asked for, by all of its solvers */
  uint32_t contact_capacity;
  uint32_t collider_asset_count;
} clothc_solver_info;

/** Creates a solver. Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_create(clothc_device device, const clothc_solver_desc* desc,
                                                          clothc_solver* solver);

/** Destroys a solver and its cloths; its queued work is finished first. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_destroy(clothc_solver solver);

/** Tells what a solver holds. Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_get_info(clothc_solver solver, clothc_solver_info* info);

/** Update flags. */
enum { CLOTHC_UPDATE_NO_WAIT = 1 << 0 /* return NOT_READY, with nothing done, when updates_in_flight are queued */ };

/** One update. */
typedef struct clothc_update {
  uint32_t struct_size;
  uint32_t flags;          /* CLOTHC_UPDATE_... */
  float dt;                /* seconds, 0 or 1e-6 .. 10; default 1/60; 0 consumes targets and moves nothing */
  uint32_t reserved;       /* must be 0 */
  clothc_fence wait_fence; /* the update starts when this fence has reached wait_value; NULL = at once */
  uint64_t wait_value;
  clothc_fence signal_fence; /* the update's end raises this fence to signal_value; NULL = none */
  uint64_t signal_value;     /* must be above all values signalled or queued before */
} clothc_update;

/** Steps every cloth of the solver by dt and returns while the work goes on, or when it is done where there is little
 *  (see CLOTHC_DEVICE_TASKS_ONLY).
 *  Each cloth runs max(1, trunc(dt * solver_frequency + 0.5)) iterations, computed in float32. An update shorter than a
 *  quarter of a cloth's last iteration, or of the mean of its last acceleration_filter_width iterations, is held back: the
 *  cloth runs no iteration, stays as it is in its frame, and the time is added to that of the next updates, until they make
 *  half an iteration; so tiny updates between normal ones neither shake a cloth nor lose time.
 *  value: the timeline value that the end of this update reaches; may be NULL.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT, INVALID_STATE (a bound buffer is mapped), DEVICE_LOST;
 *  NOT_READY with NO_WAIT.
 *  Source: PhysX 3.4 manual, Cloth; NvCloth, "Internal solver function/algorithm documentation". */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_update(clothc_solver solver, const clothc_update* update,
                                                          uint64_t* value);

/** Waits until the solver's timeline has reached value, at most timeout_ns nanoseconds.
 *  value: UINT64_MAX = everything queued so far.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (a value not queued yet), DEVICE_LOST; TIMEOUT. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_wait(clothc_solver solver, uint64_t value, uint64_t timeout_ns);

/** Tells whether the solver's timeline has reached value, without waiting: SUCCESS or NOT_READY.
 *  completed: the value reached by now; may be NULL. Errors as clothc_solver_wait. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_poll(clothc_solver solver, uint64_t value, uint64_t* completed);

/** Computes the 64-bit hash of all state that affects the next update, after everything queued; waits for it.
 *  Equal on every device with STRICT_PARITY, whatever the schedule, workers, instruction set or capacities.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT, DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_state_hash(clothc_solver solver, uint64_t* hash);

/** Writes a snapshot of the solver after everything queued; waits for it. The bytes are little-endian and the same
 *  on every backend; fabrics are named by their content hash. Fences are not part of it.
 *  data: NULL to ask for the size. size: in, the bytes at data; out, the bytes of the snapshot.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (size too small; nothing is written), OUT_OF_MEMORY, DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_snapshot(clothc_solver solver, void* data, uint64_t* size);

/** Replaces the solver's cloths and collider sets, ids included, by those of a snapshot.
 *  fabrics: [fabric_count] those the snapshot's cloths use, found by content hash; others are ignored.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (truncated, foreign, damaged or newer snapshot, or one with values that could
 *  not have been set, of which the message names cloth, particle and field; a fabric missing),
 *  CAPACITY, OUT_OF_MEMORY, DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_restore(clothc_solver solver, const void* data, uint64_t size,
                                                           const clothc_fabric* fabrics, uint32_t fabric_count);

/** One cloth that clothc_solver_compact moved, in elements of the per-particle channels. */
typedef struct clothc_move {
  clothc_cloth_id cloth;
  uint32_t old_first;
  uint32_t new_first;
  uint32_t count;
} clothc_move;

/** Closes the holes that removed cloths left, in order, so that all free particles form one range.
 *  moves: [*count] receives the cloths that moved; may be NULL with *count 0 only if the caller reads ranges anew.
 *  count: in, the length of moves; out, the number of cloths that moved.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT; INCOMPLETE if moves was too short (the compaction is done). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_compact(clothc_solver solver, clothc_move* moves, uint32_t* count);

/* ---------------------------------------------------------------------------------------------- channels */

/** Data of a solver that sets and gets reach. Per-particle channels have particle_capacity elements; a cloth's are
 *  at [first_particle, first_particle + particle_count) of clothc_cloth_info. Per-cloth channels have one element
 *  per cloth, in the order in which the cloths were added. */
typedef uint32_t clothc_channel;
enum {
  CLOTHC_CHANNEL_POSITION = 1,          /* FLOAT4 x y z 1/m in m, 1/kg; as FLOAT3, inverse masses stay */
  CLOTHC_CHANNEL_PREVIOUS_POSITION = 2, /* FLOAT3 or FLOAT4 (w is 0 and ignored), at the previous iteration's end */
  CLOTHC_CHANNEL_VELOCITY = 3,          /* FLOAT3 or FLOAT4 (w is 0 and ignored), m/s */
  CLOTHC_CHANNEL_ACCELERATION =
      4, /* FLOAT3 or FLOAT4 (w is 0 and ignored), m/s2, added to gravity every iteration; default 0 */
  CLOTHC_CHANNEL_MOTION_CONSTRAINT =
      5, /* FLOAT4 centre and radius of the sphere a particle stays in, in m, at the update's end */
  CLOTHC_CHANNEL_MOTION_CONSTRAINT_START = 6, /* FLOAT4 the same at the update's start; default: the last target */
  CLOTHC_CHANNEL_CLOTH_PARAMETERS = 7,        /* RECORD clothc_cloth_parameters per cloth */
  CLOTHC_CHANNEL_CLOTH_STATUS = 8,            /* RECORD clothc_cloth_status per cloth; get only */
  CLOTHC_CHANNEL_SEPARATION_CONSTRAINT =
      9, /* FLOAT4 centre and radius of the sphere a particle stays out of, in m, at the update's end; radius <= 0: none */
  CLOTHC_CHANNEL_SEPARATION_CONSTRAINT_START = 10, /* FLOAT4 the same at the update's start; default: the last target */
  CLOTHC_CHANNEL_CLOTH_FRAME = 11,                 /* RECORD clothc_cloth_frame per cloth */
  CLOTHC_CHANNEL_NORMAL = 12,  /* FLOAT3 or FLOAT4 (w is 0), of length 1; 0 0 0 where there is no triangle; get only */
  CLOTHC_CHANNEL_TANGENT = 13, /* FLOAT3 or FLOAT4 along u, of length 1, w the sign of the bitangent; get only; for */
                               /* fabrics with texture coordinates, 0 0 0 0 for others */
  CLOTHC_CHANNEL_CONTACT =
      14, /* RECORD clothc_contact [contact_capacity] of the last update, sorted by cloth, as they */
          /* were added, particle, kind (triangles and meshes as one), collider set and shape; */
          /* behind the last one all 0; get only */
  CLOTHC_CHANNEL_CONTACT_COUNT = 15, /* UINT how many there were, more than contact_capacity too; get only */
  CLOTHC_CHANNEL_REST_POSITION =
      16 /* FLOAT3 or FLOAT4 (w is 1 where one was set, 0 elsewhere, ignored by sets), m: particles nearer to each */
         /* other at rest than self_collision_distance do not collide with each other; default none */
};

/** What a channel is. */
typedef struct clothc_channel_info {
  uint32_t struct_size;
  clothc_channel channel;
  clothc_format format;
  uint32_t element_size; /* bytes */
  uint32_t settable;
  uint32_t gettable;
  uint64_t count; /* elements in this solver; 0 if asked without one */
  char name[64];
} clothc_channel_info;

/** Describes a channel. solver: NULL to ask for what does not depend on one. Channels are numbered from 1 without
 *  gaps, so a binding can list them until INVALID_ARGUMENT.
 *  Errors: INVALID_HANDLE (not NULL and not a solver), INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_channel_describe(clothc_solver solver, clothc_channel channel,
                                                             clothc_channel_info* info);

/** Which part of each element of a buffer is meant: for vertices that interleave positions with other data. */
typedef struct clothc_view {
  uint32_t struct_size;
  clothc_format format; /* FLOAT3 or FLOAT4 (FLOAT, UINT where the channel has them); default FLOAT4 */
  uint64_t byte_offset; /* of element 0 from the buffer's begin, multiple of 4; default 0 */
  uint32_t stride;      /* bytes from element to element, multiple of 4; default 0 = the buffer's */
  uint32_t reserved;    /* must be 0 */
} clothc_view;

/** One range to copy, in elements. A set reads [source_offset, +count) of the buffer and writes
 *  [target_offset, +count) of the channel; a get reads the channel and writes the buffer. */
typedef struct clothc_region {
  uint32_t source_offset;
  uint32_t target_offset;
  uint32_t count;
} clothc_region;

/** Set flags. */
enum { CLOTHC_SET_AT_REST = 1 << 0 /* POSITION: previous positions too, so that particles have no velocity */ };

/** Copies from a buffer to a channel, after everything queued before; the buffer is busy until then.
 *  view: NULL = the buffer's own format and stride. regions: [region_count], in order; NULL with 0 = the buffer's
 *  elements to the channel's first. Elements that belong to no cloth are skipped.
 *  Record channels copy at the call. POSITION sets inverse masses for pinning and unpinning at the next update.
 *  Values are checked where they are used: one that is not finite there never reaches the state (see non_finite_count).
 *  Values below 2^-64 become 0, as do displacements: some devices know no denormals.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT (channel, format, view, region, a record's field),
 *  INVALID_STATE (the buffer is mapped), OUT_OF_MEMORY, DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_set(clothc_solver solver, clothc_channel channel,
                                                       clothc_buffer buffer, const clothc_view* view,
                                                       const clothc_region* regions, uint32_t region_count,
                                                       uint32_t flags);

/** Copies from a channel to a buffer, after everything queued before; map the buffer to wait for it.
 *  view, regions and Errors as clothc_solver_set; no regions = the channel's first elements to the buffer's.
 *  flags: must be 0. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_get(clothc_solver solver, clothc_channel channel,
                                                       clothc_buffer buffer, const clothc_view* view,
                                                       const clothc_region* regions, uint32_t region_count,
                                                       uint32_t flags);

/* ---------------------------------------------------------------------------------------------- cloth */

/** What becomes of a cloth that sleeps. Setting anything of it, its frame or its colliders to another value wakes it, and
 *  so does every set of a per-particle channel. */
typedef uint32_t clothc_sleep_policy;
enum {
  CLOTHC_SLEEP_SKIP = 0,  /* its iterations are left out: it costs next to nothing and stays exactly as it is */
  CLOTHC_SLEEP_REPORT = 1 /* it is solved all the same; the status tells */
};

/** Statistics of a cloth, which cost a pass over it per update. */
enum {
  CLOTHC_STATISTIC_KINETIC_ENERGY = 1 << 0, /* of the particles that are not pinned */
  CLOTHC_STATISTIC_STRETCH = 1 << 1 /* of the constraints of all phases that the cloth solves, bend phases left out */
};

/** How a cloth collides. */
enum {
  CLOTHC_COLLISION_CONTINUOUS =
      1 << 0, /* along the way of particle and shape in an iteration, so that neither passes */
              /* the other by; about twice the cost */
  CLOTHC_COLLISION_VIRTUAL_PARTICLES = 1 << 1, /* the fabric's virtual particles collide with spheres, capsules and */
                                               /* ellipsoids too */
  CLOTHC_COLLISION_REPORT = 1 << 2 /* contacts of its particles, not of virtual ones, go to channel CONTACT; costs */
                                   /* about the collisions of one more iteration */
};

/** Parameters of a cloth. rate(c) = 1 - (1 - c)^(stiffness_frequency h) is the part of an error removed in an
 *  iteration of h seconds, so that c acts at the same speed at any solver frequency.
 *  Source: NvCloth solver documentation, "Log Stiffness". */
typedef struct clothc_cloth_parameters {
  uint32_t struct_size;
  uint32_t
      acceleration_filter_width; /* iterations over which the time step of gravity is averaged, 1 .. 256; default 30 */
  float gravity[3];              /* m/s2, |component| <= 1e6; default 0 -9.81 0 */
  float damping[3];          /* part of the velocity lost per 1/stiffness_frequency s, per axis, 0 .. 1; default 0 */
  float solver_frequency;    /* iterations per second, 1 .. 100000; default 300 */
  float stiffness_frequency; /* 1/s, the rate at which damping and stiffness are stated, 0.01 .. 100000; default 10 */
  float friction;            /* coefficient against colliders, 0 .. 100; default 0 */
  /* m, 0 .. 1; default 0: Coulomb's law, and what friction holds stays where it is. Above 0 friction acts on velocities */
  /* only, so that cloth creeps, and fades where depth or slip per iteration are below it; NvCloth has 3.4526698e-4 in */
  /* whatever unit of length. */
  float friction_smoothing;
  float tether_stiffness;            /* 0 .. 1, 0 = off; default 1 */
  float tether_scale;                /* factor on tether lengths, 0 .. 1000; default 1 */
  float motion_constraint_stiffness; /* 0 .. 1; default 1 */
  float motion_constraint_scale;     /* factor on radii, 0 .. 1000; default 1 */
  float motion_constraint_bias;      /* m, added to radii, |x| <= 1e6; default 0 */
  float linear_drag[3];     /* part of the frame's velocity taken from the cloth per 1/stiffness_frequency s, 0 .. 1; */
                            /* default 0 */
  float angular_drag[3];    /* the same of the frame's rotation, about each axis of the frame, 0 .. 1; default 0 */
  float linear_inertia[3];  /* part felt of the frame's acceleration, per axis of the world, 0 .. 1; default 1 */
  float angular_inertia[3]; /* part felt of its angular acceleration, per axis of the frame, 0 .. 1; default 1 */
  float centrifugal_inertia[3]; /* part felt of its centrifugal and Coriolis acceleration, likewise; default 1 */
  float wind_velocity[3];       /* m/s in the world, |component| <= 1e6; default 0 */
  float drag_coefficient;       /* along the relative wind, as a stiffness, 0 .. 1; default 0 */
  float lift_coefficient;       /* across the relative wind, as a stiffness, 0 .. 1; default 0 */
  float fluid_density;          /* of the air, kg/m3, 0 .. 1e6; default 1 */
  float sleep_threshold; /* m/s, per component, over an iteration, or over an update where cloth collides with cloth: */
                         /* below it a particle counts as still; 0 = the cloth never sleeps; 0 .. 1e6; default 0 */
  uint32_t sleep_test_interval;     /* ms between tests, 1 .. 1000000; default 200 */
  uint32_t sleep_after_count;       /* tests that pass in a row before the cloth sleeps, 1 .. 2^31; default 10 */
  clothc_sleep_policy sleep_policy; /* what sleep does; default SKIP */
  uint32_t statistics;              /* CLOTHC_STATISTIC_... to work out in every update; default 0 */
  uint32_t collision_flags;         /* CLOTHC_COLLISION_...; default VIRTUAL_PARTICLES */
  float contact_margin;             /* m, how far particles stay away from shapes, 0 .. 1e6; default 0 */
  float collision_mass_scale; /* 1/m2, a particle that spheres, capsules or ellipsoids push by d counts 1 + this d^2 */
                              /* times as heavy until the next iteration's collisions, 0 .. 1e12; default 0 */
  float self_collision_distance;  /* m, at which particles of the cloth keep each other, 0 .. 1e6; 0 = off. Below the */
                                  /* smallest distance of particles at rest, unless REST_POSITION is set; default 0 */
  float self_collision_stiffness; /* 0 .. 1, 0 = off; default 1 */
  float self_collision_friction;  /* coefficient, 0 .. 100; default 0 */
  float self_collision_damping;   /* part of the speed lost at which pushed particles part, 0 .. 1; default 0 */
  float inter_collision_distance; /* m, thickness against other cloths, 0 .. 1e6: two keep the mean of theirs apart; */
                                  /* 0 = it does not collide with other cloths; default 0 */
  float inter_collision_stiffness; /* part of an overlap that a pass removes, 0 .. 1, the lesser of two; default 1 */
  float inter_collision_friction;  /* coefficient, 0 .. 100; between two cloths the root of the product; default 0 */
  float inter_collision_damping;   /* as self_collision_damping, the lesser one of two cloths, 0 .. 1; default 0 */
  uint32_t inter_collision_iterations; /* 0 = in every iteration; else passes at the update's end, up to 64, as */
                                       /* NvCloth does, quicker and less steady; only cloths that do likewise */
                                       /* collide with each other; default 0 */
  uint32_t inter_collision_group;      /* bits: what it is; default 1 */
  uint32_t inter_collision_mask;       /* bits: what it collides with; two cloths do if each one's mask has a bit of */
                                       /* the other's group; default all */
} clothc_cloth_parameters;

/** How one phase of the fabric is solved. A cloth solves its configs in order; by default each phase once.
 *  The error of a constraint is e = 1 - rest / length. The part clamp(e, 1 - 1/compression_limit,
 *  1 - 1/stretch_limit) of it is corrected only by the rate of stiffness_multiplier m, m^(stiffness_frequency h).
 *  Source: PhysX 3.4 manual, Cloth, "Phase config"; NvCloth solver documentation, "Edge constraints". */
typedef struct clothc_phase_config {
  uint32_t struct_size;
  uint32_t phase;             /* index of the fabric's phase */
  float stiffness;            /* 0 .. 1; 0 = not solved; default 1 */
  float stiffness_multiplier; /* 0 .. 1; 1 = no soft zone; default 1 */
  float compression_limit;    /* ratio of the length to rest where the soft zone ends, 0.01 .. 1; default 1 */
  float stretch_limit;        /* 1 .. 100; default 1 */
} clothc_phase_config;

/** How to make a cloth. */
typedef struct clothc_cloth_desc {
  uint32_t struct_size;
  uint32_t phase_config_count; /* 0 = every phase of the fabric once, with default settings, unless NO_PHASES */
  clothc_fabric fabric;
  const float* positions; /* [particle_count][4] x y z 1/m; NULL = the fabric's. |x| <= 1e9 m, 1/m 0 .. 1e9 */
  const clothc_cloth_parameters* parameters;   /* NULL = defaults */
  const clothc_phase_config* phase_configs;    /* [phase_config_count], the first one's struct_size is the stride */
  const clothc_collider_set_id* collider_sets; /* [collider_set_count] */
  uint32_t collider_set_count;
  uint32_t flags; /* CLOTHC_CLOTH_... */
  float scale;    /* factor on the fabric's rest lengths, tethers and, if taken from it, positions, not on masses; */
                  /* 1e-3 .. 1e3; default 1 */
  uint32_t spare_particle_count; /* particles kept free behind the cloth's own, for cutting and tearing; 0 .. 2^24 */
} clothc_cloth_desc;

/** Cloth flags. */
enum { CLOTHC_CLOTH_NO_PHASES = 1 << 0 /* with phase_config_count 0: solve no phase at all */ };

/** What a cloth is. */
typedef struct clothc_cloth_info {
  uint32_t struct_size;
  uint32_t
      first_particle; /* of its range in the per-particle channels; only clothc_solver_compact and restore move it */
  uint32_t particle_count;
  uint32_t phase_config_count;
  uint32_t collider_set_count;
  uint32_t index;       /* position among the solver's cloths, for per-cloth channels */
  uint64_t ordinal;     /* how many cloths were added to the solver before it */
  uint64_t fabric_hash; /* content hash of its fabric */
  float scale;
  uint32_t spare_particle_count;
} clothc_cloth_info;

/** Status flags. */
enum {
  CLOTHC_STATUS_NON_FINITE = 1 << 0, /* particles were restored in the last update because they were not finite */
  CLOTHC_STATUS_ASLEEP = 1 << 1      /* sleep_after_count tests have passed in a row */
};

/** What the last update found. */
typedef struct clothc_cloth_status {
  uint32_t struct_size;
  uint32_t flags;            /* CLOTHC_STATUS_... */
  uint32_t iteration_count;  /* of the last update; 0 if the cloth slept through it, or if it was held back */
  uint32_t non_finite_count; /* particles restored from their previous position since the cloth was added */
  float bounds_minimum[3];   /* m, of the particles at the last update's end */
  float bounds_maximum[3];
  float iteration_dt;        /* s, of the last iteration; 0 before the first */
  uint32_t sleep_pass_count; /* sleep tests that have passed in a row */
  float kinetic_energy;      /* J, of the motion within the cloth's frame; 0 unless asked for by statistics */
  float largest_stretch; /* largest length / rest length of a constraint, less 1; 0 unless asked for, or without any */
} clothc_cloth_status;

/** Frame flags: what happens before the next update, besides the frame's motion to its target. */
enum {
  CLOTHC_FRAME_START =
      1 << 0, /* the frame is put at start_translation and start_rotation, the cloth with it: of this */
              /* jump nothing is felt */
  CLOTHC_FRAME_TELEPORT = 1 << 1, /* the frame jumps to its target, the cloth with it, and keeps the velocity it had */
  CLOTHC_FRAME_CLEAR_INERTIA = 1 << 2, /* the frame jumps to its target and stands still there, as if it always had */
  CLOTHC_FRAME_IGNORE_DISCONTINUITY = 1 << 3, /* the frame's velocities count as those of the last update */
  CLOTHC_FRAME_CLEAR_INTERPOLATION = 1 << 4   /* constraints and shapes are at their targets from the update's begin */
};

/** Where the coordinate system is in which a cloth lives: positions, normals, accelerations, constraints and colliders
 *  are in the frame's coordinates, gravity and wind in those of the world. A frame that accelerates or turns drags the cloth
 *  along as linear_inertia, angular_inertia and centrifugal_inertia say. Every update moves it to the target; it stays
 *  there until another one is set.
 *  Source: PhysX 3.4 manual, Cloth, "Local space simulation". */
typedef struct clothc_cloth_frame {
  uint32_t struct_size;
  uint32_t flags;             /* CLOTHC_FRAME_..., for the next update; those of several calls add up */
  float translation[3];       /* m, at the update's end, |component| <= 1e9; default 0 */
  float rotation[4];          /* quaternion x y z w at the update's end, of length 1 within 1e-3; default 0 0 0 1 */
  float start_translation[3]; /* with START; default 0 */
  float start_rotation[4];    /* with START; default 0 0 0 1 */
} clothc_cloth_frame;

/** Adds a cloth, at rest, in the first hole that fits.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT (naming the first bad particle or field), CAPACITY
 *  (with the largest hole's size), OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_add(clothc_solver solver, const clothc_cloth_desc* desc,
                                                      clothc_cloth_id* cloth);

/** Adds a copy of a cloth in its state after everything queued so far. Errors: as clothc_cloth_add. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_clone(clothc_solver solver, clothc_cloth_id source,
                                                        clothc_cloth_id* cloth);

/** Removes a cloth, leaving a hole that later cloths use. Errors: INVALID_HANDLE. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_remove(clothc_solver solver, clothc_cloth_id cloth);

/** Lists the solver's cloths in the order in which they were added.
 *  cloths: [*count], or NULL to ask for the count. Errors: INVALID_HANDLE, INVALID_ARGUMENT; INCOMPLETE. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_list(clothc_solver solver, clothc_cloth_id* cloths, uint32_t* count);

/** Tells what a cloth is. Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_get_info(clothc_solver solver, clothc_cloth_id cloth,
                                                           clothc_cloth_info* info);

/** Reads the status of a cloth after everything queued so far; waits for it. Errors: INVALID_HANDLE,
 *  INVALID_ARGUMENT, INVALID_STRUCT, DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_get_status(clothc_solver solver, clothc_cloth_id cloth,
                                                             clothc_cloth_status* status);

/** Sets a cloth's parameters for the updates to come. Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT (a field, or
 *  wind where the fabric has no triangles), OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_set_parameters(clothc_solver solver, clothc_cloth_id cloth,
                                                                 const clothc_cloth_parameters* parameters);

/** Reads a cloth's parameters as last set. Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_get_parameters(clothc_solver solver, clothc_cloth_id cloth,
                                                                 clothc_cloth_parameters* parameters);

/** Sets where a cloth's frame goes in the next update. Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_set_frame(clothc_solver solver, clothc_cloth_id cloth,
                                                            const clothc_cloth_frame* frame);

/** Reads a cloth's frame: the target as last set, where the next update starts from, and the flags that wait for it.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_get_frame(clothc_solver solver, clothc_cloth_id cloth,
                                                            clothc_cloth_frame* frame);

/** Puts a cloth back to rest, as if it had just been added, after everything queued: velocities, accelerations, motion and
 *  separation constraints, the history of time steps and the frame's velocity are gone; parameters, phases, collider
 *  sets, bindings and the frame's target stay.
 *  positions: [particle_count][4] as in clothc_cloth_desc; NULL = the fabric's, scaled.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (naming the particle; NULL and the fabric has none), OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_reset(clothc_solver solver, clothc_cloth_id cloth,
                                                        const float* positions);

/** Sets the phases a cloth solves, in order; a phase may be listed several times or not at all.
 *  configs: [config_count], the first one's struct_size is the stride. Errors: INVALID_HANDLE, INVALID_STRUCT,
 *  INVALID_ARGUMENT, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_set_phases(clothc_solver solver, clothc_cloth_id cloth,
                                                             const clothc_phase_config* configs, uint32_t config_count);

/** Reads the phases a cloth solves. configs: [*count], the first one's struct_size set and the stride, or NULL to
 *  ask for the count. Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT; INCOMPLETE. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_get_phases(clothc_solver solver, clothc_cloth_id cloth,
                                                             clothc_phase_config* configs, uint32_t* count);

/** Sets which collider sets a cloth collides with, in order. Errors: INVALID_HANDLE, INVALID_ARGUMENT (a set
 *  listed twice), OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_set_collider_sets(clothc_solver solver, clothc_cloth_id cloth,
                                                                    const clothc_collider_set_id* sets,
                                                                    uint32_t set_count);

/** Sets which particles of a cloth collide with cloth: fewer are faster.
 *  particles: [particle_count] different indices below the cloth's particle_count, in any order; NULL with 0 = all.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (naming the particle), OUT_OF_MEMORY.
 *  Source: PhysX 3.4 manual, Cloth, "Self-Collision of a Single Cloth Actor". */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_set_self_collision_particles(clothc_solver solver,
                                                                               clothc_cloth_id cloth,
                                                                               const uint32_t* particles,
                                                                               uint32_t particle_count);

/** Binds a channel of a cloth to a buffer: from now on the end of every update writes one element per vertex of the mesh
 *  that the fabric was cooked from. Welded vertices get the same value, so that a mesh with split seams stays closed.
 *  channel: POSITION, PREVIOUS_POSITION, VELOCITY, NORMAL or TANGENT; each has one binding per cloth. buffer: vertex_count
 *  elements and more; NULL ends the binding. view: as clothc_solver_get takes it; NULL = the buffer's own format and
 *  stride.
 *  Lifetime: until ended, replaced, or the cloth or the buffer is destroyed; compact keeps it, restore ends it, a clone
 *  has none. The buffer is busy until the update has ended: map it to wait. While it is mapped, updates fail with
 *  INVALID_STATE.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT (channel, format, view, a buffer that is too short),
 *  OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_bind(clothc_solver solver, clothc_cloth_id cloth,
                                                       clothc_channel channel, clothc_buffer buffer,
                                                       const clothc_view* view);

/** Drops a cloth's optional per-particle data, after everything queued: ACCELERATION, MOTION_CONSTRAINT,
 *  SEPARATION_CONSTRAINT or REST_POSITION.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (another channel). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_clear(clothc_solver solver, clothc_cloth_id cloth,
                                                        clothc_channel channel);

/* ---------------------------------------------------------------------------------------------- colliders */

/** Where the shapes of a collider set are. */
typedef uint32_t clothc_collider_space;
enum {
  CLOTHC_COLLIDER_SPACE_LOCAL = 0, /* in the frame of each cloth that lists the set */
  CLOTHC_COLLIDER_SPACE_WORLD = 1  /* in the world: a cloth's frame moves past them */
};

/** Shapes of a collider set, at the end of the next update (and, optionally, at its start).
 *  Shapes move linearly from start to target over the iterations of the update. Where no start is given, it is the
 *  last target; shapes beyond the last set's number start at their target. Rotations are quaternions of length 1 within
 *  1e-3; they move the shorter way.
 *  Source: PhysX 3.4 manual, Cloth, "Collision shapes"; NvCloth, "Internal collision detection documentation". */
typedef struct clothc_collider_shapes {
  uint32_t struct_size;
  uint32_t sphere_count;
  const float* spheres;       /* [sphere_count] x y z radius, m; finite, radius 0 .. 1e9 */
  const float* sphere_starts; /* [sphere_count] or NULL */
  uint32_t plane_count;
  uint32_t convex_count;         /* 0 = every plane is a half-space of its own */
  const float* planes;           /* [plane_count] nx ny nz d: the cloth stays where n.p + d >= 0; |n| 1 within 1e-3 */
  const float* plane_starts;     /* [plane_count] or NULL */
  const uint32_t* convex_ends;   /* [convex_count] end of each convex in convex_planes: inclusive prefix sums */
  const uint32_t* convex_planes; /* [convex_ends[convex_count - 1]] planes of each convex; inside = below all of them */
  uint32_t capsule_count;
  uint32_t ellipsoid_count;
  const uint32_t* capsules; /* [capsule_count][2] two different spheres: the cone tangent to both joins them. A */
                            /* sphere may belong to many capsules, and then counts where it sticks out of them */
  const float* ellipsoids;  /* [ellipsoid_count][10] centre x y z, rotation x y z w, radii along its axes 0 .. 1e9; */
                            /* with a radius of 0 it touches nothing */
  const float* ellipsoid_starts; /* [ellipsoid_count][10] or NULL */
  uint32_t box_count;
  clothc_collider_space space; /* of all shapes of the set; default LOCAL */
  const float* boxes;          /* [box_count][10] centre x y z, rotation x y z w, half sides 0 .. 1e9 */
  const float* box_starts;     /* [box_count][10] or NULL */
  uint32_t vertex_count;       /* of triangles; 0 .. 2^24 */
  uint32_t triangle_count;     /* 0 .. 2^23 */
  const float* vertices;       /* [vertex_count][3] m, finite, |component| <= 1e9 */
  const float* vertex_starts;  /* [vertex_count][3] or NULL */
  const uint32_t*
      triangles; /* [triangle_count][3] vertices, counter-clockwise seen from the side where the cloth is; */
                 /* one without an area touches nothing. NULL = 0 1 2, 3 4 5 .. */
  float
      triangle_reach; /* m, above 0 or INFINITY: a particle behind its nearest triangle is put back in front of it if */
                      /* it is not further away than this; default 0.1 */
  uint32_t reserved;  /* must be 0 */
  uint32_t instance_count;                         /* of meshes and signed distance fields */
  uint32_t reserved_instances;                     /* must be 0 */
  const clothc_collider_asset_id* instance_assets; /* [instance_count] what each shows */
  const float* instances;       /* [instance_count][8] translation x y z, rotation x y z w, scale 1e-3 .. 1e3 */
  const float* instance_starts; /* [instance_count][8] or NULL */
} clothc_collider_shapes;

/** Creates an empty collider set. Errors: INVALID_HANDLE, INVALID_ARGUMENT, CAPACITY, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_set_create(clothc_solver solver, clothc_collider_set_id* set);

/** Destroys a collider set; cloths that list it do so no more. Errors: INVALID_HANDLE. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_set_destroy(clothc_solver solver, clothc_collider_set_id set);

/** Sets the shapes of a collider set for the updates to come, replacing all of its shapes.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT naming the shape, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_set_write(clothc_solver solver, clothc_collider_set_id set,
                                                               const clothc_collider_shapes* shapes);

/** A mesh to collide with, shown by any number of instances in any number of collider sets. */
typedef struct clothc_collider_mesh_desc {
  uint32_t struct_size;
  uint32_t vertex_count;   /* 1 .. 2^24 */
  uint32_t triangle_count; /* 1 .. 2^23 */
  uint32_t reserved;       /* must be 0 */
  const float* vertices;   /* [vertex_count][3] m at scale 1, finite, |component| <= 1e9 */
  const uint32_t*
      triangles; /* [triangle_count][3] vertices, counter-clockwise seen from the side where the cloth is; */
                 /* one without an area touches nothing. NULL = 0 1 2, 3 4 5 .. */
} clothc_collider_mesh_desc;

/** Makes a mesh that collider sets show by instances. It is copied, and its tree is built once, by the device.
 *  An instance is as triangles of the set are, moved and scaled as a whole; triangle_reach of its set is that of all.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT naming the vertex or triangle, CAPACITY, OUT_OF_MEMORY.
 *  Source: Flex manual, "Triangle Meshes". */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_mesh_create(clothc_solver solver,
                                                                 const clothc_collider_mesh_desc* desc,
                                                                 clothc_collider_asset_id* asset);

/** A signed distance field: distances from a surface at the nodes of a grid, interpolated between them. */
typedef struct clothc_sdf_desc {
  uint32_t struct_size;
  uint32_t counts[3];  /* nodes along x, y, z, each 2 .. 4096, at most 2^27 in all */
  float origin[3];     /* m at scale 1, node 0 0 0; |component| <= 1e9 */
  float spacing;       /* m at scale 1 from node to node, 1e-6 .. 1e6 */
  const float* values; /* [counts[2]][counts[1]][counts[0]] m, below 0 inside; |value| <= 1e9 */
} clothc_sdf_desc;

/** Makes a signed distance field that collider sets show by instances; its values are copied. Particles are held outside
 *  of it where its grid is; beyond, it holds nothing, so the grid must contain the surface and the contact margin.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT naming the value, CAPACITY, OUT_OF_MEMORY.
 *  Source: Flex manual, "Signed Distance Fields". */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_sdf_create(clothc_solver solver, const clothc_sdf_desc* desc,
                                                                clothc_collider_asset_id* asset);

/** Destroys a mesh or signed distance field.
 *  Errors: INVALID_HANDLE, INVALID_STATE (a collider set shows it). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_asset_destroy(clothc_solver solver,
                                                                   clothc_collider_asset_id asset);

/** A mesh to cook into a signed distance field. */
typedef struct clothc_sdf_cook_desc {
  uint32_t struct_size;
  uint32_t vertex_count;     /* 1 .. 2^24 */
  uint32_t triangle_count;   /* 1 .. 2^23 */
  uint32_t resolution;       /* nodes along the longest side of the grid, 2 .. 1024; default 64 */
  const float* vertices;     /* [vertex_count][3] m, finite, |component| <= 1e9 */
  const uint32_t* triangles; /* [triangle_count][3] vertices, winding either way; NULL = 0 1 2, 3 4 5 .. */
  float padding;             /* m from the mesh to the sides of the grid, 0 .. 1e9; default 0 = two cells */
  uint32_t reserved;         /* must be 0 */
} clothc_sdf_cook_desc;

/** Works out the signed distance field of a mesh, on the calling thread. A mesh that is not closed, overlaps or is
 *  wound unevenly has an inside too: where its generalised winding number is above one half.
 *  sdf: out, counts, origin and spacing of the grid, with values set to the pointer given.
 *  values: [counts[2]][counts[1]][counts[0]], or NULL to ask for the grid and the size.
 *  size: in, the bytes at values; out, the bytes of the values.
 *  Errors: INVALID_STRUCT, INVALID_ARGUMENT (naming the vertex or triangle; no triangle with three corners; size too small;
 *  nothing is written), OUT_OF_MEMORY.  Threads: any.
 *  Source: Jacobson, Kavan and Sorkine-Hornung 2013 (winding numbers); Baerentzen and Aanaes 2005 (distances). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_sdf_cook(const clothc_sdf_cook_desc* desc, clothc_sdf_desc* sdf,
                                                     float* values, uint64_t* size);

/** What kind of shape a contact is with. */
typedef uint32_t clothc_shape_kind;
enum {
  CLOTHC_SHAPE_CONVEX = 1, /* shape: the convex, or the plane where planes are half-spaces */
  CLOTHC_SHAPE_BOX = 2,
  CLOTHC_SHAPE_TRIANGLE = 3, /* shape: the triangle of the set */
  CLOTHC_SHAPE_MESH = 4,     /* shape: the instance */
  CLOTHC_SHAPE_SDF = 5,      /* shape: the instance */
  CLOTHC_SHAPE_CAPSULE = 6,
  CLOTHC_SHAPE_SPHERE = 7,
  CLOTHC_SHAPE_ELLIPSOID = 8
};

/** A particle that a shape held in the last iteration of the last update; an element of channel CONTACT. */
typedef struct clothc_contact {
  uint32_t struct_size;
  clothc_cloth_id cloth;
  uint32_t particle;                   /* of the cloth, 0 .. particle_count - 1 */
  clothc_collider_set_id collider_set; /* whose shape it is */
  clothc_shape_kind kind;
  uint32_t shape;    /* index among the shapes of its kind in the set */
  uint32_t triangle; /* of a mesh: the triangle; otherwise UINT32_MAX */
  float impulse;     /* N s, of the shape on the particle in that iteration; 0 for pinned particles */
  float point[3];    /* m, where the shape put the particle, in the cloth's frame */
  float depth;       /* m, how far it moved it */
  float normal[3];   /* of length 1, in the cloth's frame: the way it was moved */
  uint32_t reserved; /* 0 */
} clothc_contact;

#ifdef __cplusplus
}
#endif
#endif
