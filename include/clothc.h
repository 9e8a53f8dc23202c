/* clothc.h - the public contract of libclothc, a cloth simulation library. clothc_cuda.h and clothc_vulkan.h beside it
 * are for programs that use CUDA or Vulkan themselves.
 *
 * Copyright 2026 The clothc authors. SPDX-License-Identifier: Apache-2.0
 *
 * A device does the work: the processor, or a GPU through Vulkan or CUDA. A fabric holds the constraints of a piece of
 * cloth. It is cooked once from a mesh and shared by any number of cloths. A solver owns the particles of its cloths
 * and moves all of them with one call, clothc_solver_update. Data travels in buffers, which are flat arrays:
 * clothc_solver_set and clothc_solver_get copy between a buffer and a channel of the solver, such as the positions of
 * all particles.
 *
 * Levels. The header goes from simple to advanced, and a program needs no more than the levels that it uses.
 *  1 Basics       results and messages, a device, buffers, a fabric from a mesh, a solver, cloths, channels
 *  2 Behaviour    parameters of a cloth, phases of constraints, moving frames, collision with shapes and other cloth
 *  3 Information  what devices, buffers, fabrics, solvers and cloths hold and report, contacts included; debug drawing
 *  4 State        resetting and cloning cloths, snapshots, the state hash, saved fabrics, compaction
 *  5 Integration  choosing and preparing a device, fences, shared memory, channels bound to a renderer's buffers
 *  6 Raw data     fabrics given as arrays, collider meshes, signed distance fields
 *
 * Conventions
 *  - Units: any consistent set works. The defaults suit metres, seconds and kilograms. Cross products are right-handed.
 *  - Every call returns a clothc_result: 0 is success, a positive value is a status, a negative value is an error. A
 *    call that returns an error has changed nothing and written none of its outputs. clothc_last_error_message then
 *    says what was wrong and what to do about it.
 *  - Every struct passed in begins with struct_size. clothc_struct_init fills in the size and the defaults. A program
 *    compiled with an older header passes a shorter struct, and the library uses the defaults of the missing fields.
 *    The small element types of flat arrays (clothc_region, clothc_move, clothc_debug_line) never change and have no
 *    size field.
 *  - The library copies what pointers refer to during the call and does not keep the pointers, unless a comment says
 *    otherwise.
 *  - Handles are checked. A handle that is null, destroyed, or of another kind gives CLOTHC_ERROR_INVALID_HANDLE.
 *  - Calls that destroy or remove something need no memory, so they succeed even when no memory is left.
 *  - "Waits:" in a comment says that the call may wait for work of the device, and for which. Where it is absent, the
 *    call waits for no such work.
 *  - A comment on a pointer to several elements begins with their number in brackets, as in [particle_count][4].
 *  - "Threads:" in a comment says which threads may make the call. Where it is absent, calls on one solver must not
 *    overlap, while calls on different solvers, and on devices, buffers, fabrics and fences, may come from any thread.
 *  - fork: the child process has none of the library's threads, so a device made before the fork is lost in the child.
 *    Calls on it and on everything made from it return CLOTHC_ERROR_DEVICE_LOST at once, except those that destroy
 *    devices, buffers, fences, fabrics and solvers, which succeed without waiting. They free the library's memory,
 *    except what another thread was using in a call during the fork and what belongs to a GPU driver; that stays until
 *    the child ends or calls exec. A child may create its own devices; whether a GPU's driver works there depends on
 *    the driver. The parent is not affected. A child must not continue a task or a call from before the fork: a program
 *    that forks inside a callback or task calls exec or _exit in the child without returning from it.
 *
 * What this library does not do: rendering, rigid bodies, file formats. Results do not depend on the number of threads,
 * the instruction set or the compiler: the same program gives the same bits everywhere.
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

/** A time-out that never passes, in nanoseconds. */
#define CLOTHC_WAIT_FOREVER UINT64_MAX

/* =============================================================================================== level 1: basics */

/* ----------------------------------------------------------------------------------------- results and messages */

/** The result of every call: 0 for success, a positive value for a status, a negative value for an error. */
typedef int32_t clothc_result;
enum {
  CLOTHC_SUCCESS = 0,
  /** The work in question is still running, or the call would have had to wait. */
  CLOTHC_NOT_READY = 1,
  /** The time-out passed before the work ended. */
  CLOTHC_TIMEOUT = 2,
  /** The caller's array was too short. It is filled as far as it goes. */
  CLOTHC_INCOMPLETE = 3,
  /** A value is null, outside its documented range, or not finite. */
  CLOTHC_ERROR_INVALID_ARGUMENT = -1,
  /** A handle or id is null, names something that was destroyed, or names another kind of object. */
  CLOTHC_ERROR_INVALID_HANDLE = -2,
  /** No release had a struct of this struct_size: most likely clothc_struct_init was not called. */
  CLOTHC_ERROR_INVALID_STRUCT = -3,
  /** The object is not in a state that allows the call, for example because a buffer is mapped. */
  CLOTHC_ERROR_INVALID_STATE = -4,
  /** The host or the device has no memory left. */
  CLOTHC_ERROR_OUT_OF_MEMORY = -5,
  /** A capacity given at creation is used up. The message names the field to raise. */
  CLOTHC_ERROR_CAPACITY = -6,
  /** This build, backend or device cannot do it. */
  CLOTHC_ERROR_UNSUPPORTED = -7,
  /** The device failed, or was made before a fork. It stays lost until it is destroyed. */
  CLOTHC_ERROR_DEVICE_LOST = -8,
  /** A defect of this library. Please report it. */
  CLOTHC_ERROR_INTERNAL = -9
};

/** Returns the message of this thread's last failing call: what was wrong, the value seen, and the remedy. A call that
 *  returns a status, a positive result, leaves the message as it was.
 *  Lifetime: valid until this thread's next failing call; "" before the first. Threads: any. */
CLOTHC_API const char* CLOTHC_CALL clothc_last_error_message(void);

/** Returns the name of a result, such as "CLOTHC_ERROR_CAPACITY", or "unknown result". Threads: any. */
CLOTHC_API const char* CLOTHC_CALL clothc_result_name(clothc_result result);

/** Returns the version of the loaded library as major << 16 | minor << 8 | patch. Threads: any. */
CLOTHC_API uint32_t CLOTHC_CALL clothc_version(void);

/* ---------------------------------------------------------------------------------------------- handles and ids */

/** Does the work of everything made from it. */
typedef struct clothc_device_t* clothc_device;
/** Flat typed memory. */
typedef struct clothc_buffer_t* clothc_buffer;
/** The cooked, immutable constraints of a piece of cloth. */
typedef struct clothc_fabric_t* clothc_fabric;
/** Particles and cloths that move together. */
typedef struct clothc_solver_t* clothc_solver;
/** A 64-bit value that only grows, for waiting and signalling. */
typedef struct clothc_fence_t* clothc_fence;

/** Names a cloth within its solver. An id is never 0 and never names another cloth later. */
typedef uint32_t clothc_cloth_id;
/** Names a group of a solver, see clothc_group_add. */
typedef clothc_cloth_id clothc_group_id;
/** Names a collider set within its solver. An id is never 0 and never names another set later. */
typedef uint32_t clothc_collider_set_id;
/** Names a collider mesh or signed distance field within its solver. An id is never 0 and never names another one
 *  later. */
typedef uint32_t clothc_collider_asset_id;

/* ------------------------------------------------------------------------------------------------------- structs */

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
  CLOTHC_STRUCT_CONTACT = 25,
  CLOTHC_STRUCT_PARAMETER_INFO = 26,
  CLOTHC_STRUCT_CONSTRAINT_SET = 27,
  CLOTHC_STRUCT_TIMERS = 28,
  CLOTHC_STRUCT_GROUP_DESC = 29,
  CLOTHC_STRUCT_GROUP_INFO = 30,
  CLOTHC_STRUCT_CUDA_DEVICE_DESC = 31,
  CLOTHC_STRUCT_VULKAN_DEVICE_DESC = 32,
  CLOTHC_STRUCT_VULKAN_REQUIREMENTS = 33,
  CLOTHC_STRUCT_VULKAN_BUFFER_DESC = 34,
  CLOTHC_STRUCT_DEBUG_DESC = 35,
  CLOTHC_STRUCT_VERIFICATION = 36,
  CLOTHC_STRUCT_VERIFICATION_ROW = 37
};

/** Fills a struct with its defaults and sets its struct_size. It writes no byte beyond size.
 *  pointer: [size] bytes. size: sizeof of the caller's struct, which is smaller than the library's in a program built
 *  with an older header.
 *  Errors: INVALID_ARGUMENT for an unknown kind, a null pointer, or a size that no release had. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_struct_init(clothc_struct_kind kind, void* pointer, size_t size);

/* Structs of later levels, to which structs of this level point. */
typedef struct clothc_external_handle clothc_external_handle;
typedef struct clothc_cloth_parameters clothc_cloth_parameters;
typedef struct clothc_phase_config clothc_phase_config;

/* -------------------------------------------------------------------------------------------------------- device */

/** What does a device's work. */
typedef uint32_t clothc_backend;
enum { CLOTHC_BACKEND_AUTO = 0, CLOTHC_BACKEND_CPU = 1, CLOTHC_BACKEND_CUDA = 2, CLOTHC_BACKEND_VULKAN = 3 };

/** Instruction sets of the CPU backend. AUTO takes the fastest one that this machine runs. */
typedef uint32_t clothc_isa;
enum {
  CLOTHC_ISA_AUTO = 0,
  CLOTHC_ISA_SCALAR = 1,
  CLOTHC_ISA_SSE4_1 = 2,
  CLOTHC_ISA_AVX2 = 3,
  CLOTHC_ISA_AVX512 = 4,
  CLOTHC_ISA_NEON = 5
};

/** Allocates size bytes at the given power-of-two alignment, or returns NULL. Threads: called from any. */
typedef void*(CLOTHC_CALL* clothc_allocate_callback)(size_t size, size_t alignment, void* user);
/** Frees what the allocate callback returned. Never called with NULL. Threads: called from any. */
typedef void(CLOTHC_CALL* clothc_free_callback)(void* pointer, void* user);
/** Receives the message of a failing call, on the thread that made the call and before the call returns. A call with an
 *  invalid handle has no device, so its message only goes to clothc_last_error_message. clothc_device_create tells with
 *  result SUCCESS which devices AUTO has passed over.
 *  Lifetime: message is valid during the callback only. */
typedef void(CLOTHC_CALL* clothc_message_callback)(clothc_result result, const char* message, void* user);
/** A task of the library. It runs to its end, never waits for another task, and uses at most 64 KiB of stack. */
typedef void(CLOTHC_CALL* clothc_task)(void* argument);
/** Asks the application's scheduler to call task(argument) once, soon, on any thread. The scheduler must not call
 *  the task before this callback returns. A task that comes when calls have done its work ends at once, but what made
 *  it is not destroyed before. Calls that wait run no tasks, so at least one thread of the scheduler must be free of
 *  them. Threads: called from any thread that is inside a clothc call or inside a task. */
typedef void(CLOTHC_CALL* clothc_submit_callback)(clothc_task task, void* argument, void* user);

/** Device flags. */
enum {
  /** CPU: all work runs in tasks or in the library's threads. Without this flag calling threads work as well, because
   *  waking another one takes longer; they need as much stack as a task, and each takes the place of one of the
   *  worker_count threads or tasks that work for its solver. A call that waits does work that it waits for and that no
   *  task has begun. If the call has a time-out, it only does what should take a quarter of that at most. A call that
   *  queues work does it if no other work goes on and it should take about 10 microseconds at most (an update of 200
   *  particles, a get of 2,000), or half a millisecond (an update of 10,000 particles) if this thread waited at once
   *  for all that it queued before. */
  CLOTHC_DEVICE_TASKS_ONLY = 1 << 0,
  /** The device must give the bits of all others: CLOTHC_CAPABILITY_STRICT_PARITY. One that is not known to is verified
   *  during the call as clothc_device_verify does, unless `cache` has the verdict. If it gives other bits, AUTO passes
   *  it over, with the CPU as the last choice; for a backend or device that was asked for the call fails with
   *  UNSUPPORTED. The message names the first kernel that differs, the driver, and what to do. */
  CLOTHC_DEVICE_STRICT_PARITY = 1 << 1
};

/** How to make a device. */
typedef struct clothc_device_desc {
  uint32_t struct_size;
  /** Default AUTO: the best one that works. The device's clothc_device_info.reason says why it was chosen, and
   *  `message` receives why a better one that is there could not be created or was not taken. */
  clothc_backend backend;
  /** Index among the devices of that backend. Default 0. */
  uint32_t device_index;
  /** CPU: number of threads, or of tasks at a time if submit is set. 0 = as many as the machine has. Range 0 .. 256. */
  uint32_t worker_count;
  /** CPU: the instruction set to use. Default AUTO. */
  clothc_isa isa;
  /** CLOTHC_DEVICE_... Default 0. */
  uint32_t flags;
  /** CPU: allocator of the device's arrays. NULL = the C library's. Set both callbacks or neither. */
  clothc_allocate_callback allocate;
  clothc_free_callback free;
  /** Passed to allocate and free as user. */
  void* allocator_user;
  /** Receives the messages of failing calls, and of devices that AUTO has passed over. NULL = none. */
  clothc_message_callback message;
  void* message_user;
  /** CPU: runs the device's tasks in the application's scheduler. NULL = the library's own threads. */
  clothc_submit_callback submit;
  void* submit_user;
  /** Selects the device with this UUID, whatever its index. Default all 0: device_index selects. */
  uint8_t uuid[16];
  /** GPU: the device counts as lost after so many milliseconds without progress. Time in which its driver may be
   *  compiling what runs for the first time, as Mesa's software driver does, counts for a tenth, and so does not lose a
   *  device on a machine that is busy. Range 100 .. 3600000; default 60000. */
  uint32_t hang_timeout_ms;
  /** Must be 0. */
  uint32_t reserved;
  /** [cache_size] bytes that clothc_device_save_cache wrote, which the device takes as clothc_device_load_cache does,
   *  except that a cache which does not fit is ignored without a failure. NULL = none. */
  const uint8_t* cache;
  /** Bytes. Default 0. */
  uint64_t cache_size;
} clothc_device_desc;

/** Creates a device.
 *  Errors: INVALID_ARGUMENT, INVALID_STRUCT, UNSUPPORTED (this machine has no such backend, device or instruction set,
 *  or the device that was asked for gives other bits and flags has STRICT_PARITY), OUT_OF_MEMORY; with STRICT_PARITY
 *  also DEVICE_LOST.
 *  Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_create(const clothc_device_desc* desc, clothc_device* device);

/** Destroys a device and everything made from it, and joins its threads. The handles of everything made from it become
 *  invalid.
 *  Waits: for all work of the device. Threads: any, but not from inside a task or callback. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_destroy(clothc_device device);

/* ------------------------------------------------------------------------------------------------------- buffers */

/** Element formats. */
typedef uint32_t clothc_format;
enum {
  /** 4 bytes. */
  CLOTHC_FORMAT_FLOAT = 1,
  /** 12 bytes: x y z. */
  CLOTHC_FORMAT_FLOAT3 = 2,
  /** 16 bytes: x y z w. */
  CLOTHC_FORMAT_FLOAT4 = 3,
  /** 4 bytes. */
  CLOTHC_FORMAT_UINT = 4,
  /** stride bytes: a struct that begins with struct_size, or any layout that is read through a clothc_view. */
  CLOTHC_FORMAT_RECORD = 5
};

/** Whose memory a buffer is, and where it is. */
typedef uint32_t clothc_buffer_kind;
enum {
  /** Memory of the library, which can be mapped. */
  CLOTHC_BUFFER_HOST = 1,
  /** Memory of the caller, borrowed until the buffer is destroyed. */
  CLOTHC_BUFFER_WRAPPED_HOST = 2,
  /** Memory that the device accesses fastest. It cannot be mapped; sets, gets, reads and writes copy it. */
  CLOTHC_BUFFER_DEVICE = 3,
  /** As DEVICE; clothc_buffer_export shares the memory with other devices and APIs. */
  CLOTHC_BUFFER_EXPORTABLE = 4,
  /** Memory that another device, API or process has exported. It cannot be mapped. */
  CLOTHC_BUFFER_IMPORTED = 5,
  /** Memory of the caller on the device, borrowed until the buffer is destroyed. It cannot be mapped. On CUDA devices;
   *  on Vulkan devices by clothc_vulkan_buffer_create. */
  CLOTHC_BUFFER_WRAPPED_DEVICE = 6
};

/** Buffer flags. */
enum {
  /** Where a buffer of the kind would fail with UNSUPPORTED, make a HOST buffer in its place. clothc_buffer_info tells
   *  it. The program keeps the memory and the external handle that it gave, and maps the buffer to copy from or to them
   *  itself. In each frame this costs the transfer of the buffer's bytes from the device to the host, unless the device
   *  is a processor, and then the program's copy or upload; and the host must wait for the update in between. */
  CLOTHC_BUFFER_HOST_IF_UNSUPPORTED = 1 << 0
};

/** How to make a buffer. */
typedef struct clothc_buffer_desc {
  uint32_t struct_size;
  /** Default HOST. */
  clothc_buffer_kind kind;
  /** Default FLOAT4. */
  clothc_format format;
  /** Bytes from one element to the next: a multiple of 4, at most 4096. Default 0 = no gaps (not for RECORD). */
  uint32_t stride;
  /** Number of elements, 1 .. 2^31. */
  uint64_t count;
  /** WRAPPED_HOST: [count] elements, aligned to 4 bytes. WRAPPED_DEVICE: their address on the device, such as a
   *  CUdeviceptr, aligned to 4 bytes. NULL for other kinds. */
  void* memory;
  /** IMPORTED: what was exported. The buffer owns the handle if it is an IMPORTED one; if the call fails or makes a
   *  HOST buffer, the caller still does. NULL for other kinds. */
  const clothc_external_handle* external;
  /** CLOTHC_BUFFER_...: 0, the default, or HOST_IF_UNSUPPORTED. */
  uint32_t flags;
  /** Must be 0. */
  uint32_t reserved;
} clothc_buffer_desc;

/** Map flags. */
enum {
  CLOTHC_MAP_READ = 1 << 0,
  CLOTHC_MAP_WRITE = 1 << 1,
  /** With WRITE: the old contents are not needed, so the call never waits (a HOST buffer gets other memory). */
  CLOTHC_MAP_DISCARD = 1 << 2,
  /** Return NOT_READY instead of waiting for the sets and gets that use the buffer. */
  CLOTHC_MAP_NO_WAIT = 1 << 3
};

/** Creates a buffer. Memory of the library is zero at first.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT, OUT_OF_MEMORY; UNSUPPORTED for kinds whose capability the
 *  device lacks (WRAPPED_HOST, WRAPPED_DEVICE, EXPORTABLE, IMPORTED; HOST and DEVICE always work), unless the flags
 *  have HOST_IF_UNSUPPORTED. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_create(clothc_device device, const clothc_buffer_desc* desc,
                                                          clothc_buffer* buffer);

/** Destroys a buffer, even a mapped one. Its memory stays until the sets, gets and updates that use it have ended.
 *  Waits: for them, if the memory is the caller's. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_destroy(clothc_buffer buffer);

/** Maps a buffer, so that the host can read or write it. A buffer can be mapped once at a time. It counts as mapped as
 *  soon as this call waits, so other threads' sets, gets, updates, reads and writes that use it fail from then on.
 *  flags: CLOTHC_MAP_...: READ, WRITE or both, and DISCARD and NO_WAIT if wanted. pointer: receives the address of
 *  element 0, which is aligned to 64 bytes in HOST buffers. Lifetime: until unmap.
 *  Waits: for the sets, gets and updates that use this buffer, for reads and writes of it that other threads have begun,
 *  and for nothing else.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (flags), INVALID_STATE (already mapped, or of a kind that cannot be
 *  mapped), DEVICE_LOST (if there is work to wait for); NOT_READY with NO_WAIT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_map(clothc_buffer buffer, uint32_t flags, void** pointer);

/** Ends the mapping. Errors: INVALID_HANDLE, INVALID_STATE (not mapped). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_unmap(clothc_buffer buffer);

/** Copies size bytes at offset out of a buffer, after the sets, gets and updates that use it. Those that other threads
 *  call while this call waits let the copy go first, so that it comes even if they follow one another without a pause.
 *  They do not if the work before the copy still waits for a fence, since they, or whatever their thread does next, may
 *  raise it; if it needs tasks of the application (submit with CLOTHC_DEVICE_TASKS_ONLY); or if it is in a stream of the
 *  application. Then the copy waits for them too. It does not wait for a clothc_buffer_write of another thread: both
 *  copy at once then, and data may be partly old and partly new where they overlap, in any mixture. Use a lock, or map.
 *  data: [size] bytes.
 *  Waits: for these sets, gets and updates.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (null, or beyond the end), INVALID_STATE (mapped), DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_read(clothc_buffer buffer, uint64_t offset, uint64_t size,
                                                        void* data);

/** Copies size bytes into a buffer at offset, after the sets, gets and updates that use it. Its turn comes as that of
 *  clothc_buffer_read. It does not wait for a clothc_buffer_read or clothc_buffer_write of another thread either: where
 *  they overlap, what is read, or stays in the buffer, may be any mixture of old and new. Use a lock, or map.
 *  data: [size] bytes.
 *  Waits: for these sets, gets and updates.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (null, or beyond the end), INVALID_STATE (mapped), DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_write(clothc_buffer buffer, uint64_t offset, uint64_t size,
                                                         const void* data);

/* --------------------------------------------------------------------------------------------- a fabric from a mesh */

/** Cook flags. */
enum {
  /** Leave out the shear phase. */
  CLOTHC_COOK_NO_SHEAR = 1 << 0,
  /** Leave out the bend phase. */
  CLOTHC_COOK_NO_BEND = 1 << 1,
  /** Leave out tethers. */
  CLOTHC_COOK_NO_TETHERS = 1 << 2,
  /** Merge pairs of triangles that form a good quad. Their common edge becomes a shear constraint. */
  CLOTHC_COOK_QUADIFY = 1 << 3,
  /** Store the particles in the mesh's order, even where another order is faster. */
  CLOTHC_COOK_KEEP_ORDER = 1 << 4,
  /** Leave out the coarse levels, without which parameters.hierarchy_stiffness has no effect. They take some 100 bytes
   *  per particle, on the device and in the fabric. */
  CLOTHC_COOK_NO_HIERARCHY = 1 << 5
};

/** A mesh to cook: triangles, quads or both. */
typedef struct clothc_mesh_desc {
  uint32_t struct_size;
  /** CLOTHC_COOK_... Default 0. */
  uint32_t flags;
  /** 1 .. 2^24. */
  uint64_t vertex_count;
  /** [vertex_count][3] x y z in m; finite, |component| <= 1e9. */
  const float* positions;
  /** Bytes from one position to the next, a multiple of 4. 0 = 12. */
  uint64_t position_stride;
  /** [vertex_count] in 1/kg, 0 .. 1e9; 0 pins the vertex. Only their ratios matter, but distance constraints hold pairs
   *  whose sum is below 1e-12 less firmly. NULL = 1 for all, or masses from areal_density. */
  const float* inverse_masses;
  /** Bytes from one inverse mass to the next, a multiple of 4. 0 = 4. */
  uint64_t inverse_mass_stride;
  /** May be 0. */
  uint64_t triangle_count;
  /** [triangle_count][3] vertex indices. */
  const void* triangles;
  /** May be 0. */
  uint64_t quad_count;
  /** [quad_count][4] vertex indices, in order around the quad. */
  const void* quads;
  /** Bytes per vertex index: 2 or 4. Default 4. */
  uint32_t index_size;
  /** Vertices at most this far apart become one particle, m. 0 = only those at the same position; negative = none.
   *  Default 0. */
  float weld_distance;
  /** kg/m2, 0 .. 1e6. Above 0, each vertex gets a third of the mass of each triangle around it, and inverse_masses
   *  only say which vertices are pinned (0). Default 0: inverse_masses are the inverse masses. */
  float areal_density;
  /** Number of tethers from each free particle to the pinned particles that are nearest along the surface, 1 .. 4.
   *  Default 1. */
  uint32_t tethers_per_particle;
  /** Bytes from one triangle to the next, a multiple of index_size. 0 = no gaps. */
  uint64_t triangle_stride;
  /** Bytes from one quad to the next, a multiple of index_size. 0 = no gaps. */
  uint64_t quad_stride;
  /** [vertex_count], 0 .. 1. Each constraint has the mean of its two vertices as its stiffness, and the stiffness of
   *  its phase has no effect. NULL = the stiffness of the phases. */
  const float* stiffness;
  /** Bytes from one stiffness to the next, a multiple of 4. 0 = 4. */
  uint64_t stiffness_stride;
  /** [vertex_count][2] u v, finite. Stretch constraints then form the phases WARP and WEFT. NULL = none. */
  const float* texture_coordinates;
  /** Bytes from one u v pair to the next, a multiple of 4. 0 = 8. */
  uint64_t texture_coordinate_stride;
  /** A direction of any length. If it is given and texture coordinates are not, stretch constraints form the phases
   *  VERTICAL and HORIZONTAL. Default 0 0 0: they form one phase, STRETCH. */
  float gravity_hint[3];
  /** Number of virtual particles on each triangle, which collide with shapes as particles do. 0 = none; 1, 4, 9 ..
   *  64 = the centres of as many equal parts of the triangle. A quad counts as two triangles. At most 2^24 in all;
   *  default 0. */
  uint32_t virtual_particles_per_triangle;
  /** Each value adds a LONG_RANGE phase; they are solved in this order. Two particles that are this many edges apart
   *  along a line of quads (also quads that QUADIFY merged) may not get farther apart than the line is long at rest.
   *  With 12, 4, the longest first, cloth stretches a third to a sixth as much for 1.5 times the cost. There is no
   *  such constraint where a vertex along the line has a stiffness below 1. 0 = no phase, or 2 .. 64; default 0 0 0
   *  0. */
  uint32_t long_range_edges[4];
} clothc_mesh_desc;

/** Cooks a mesh into a fabric: welds vertices, makes the stretch, shear and bend constraints and the tethers, and
 *  colours the constraints so that those of one colour share no particle. Degenerate faces are left out and counted.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT naming the vertex or face, OUT_OF_MEMORY.
 *  Source: PhysX 3.4 manual, Cloth, "Fabric cooking"; Kim, Chentanez and Mueller 2012 (tethers). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_cook(clothc_device device, const clothc_mesh_desc* mesh,
                                                        clothc_fabric* fabric);

/** Destroys a fabric. Cloths that use it keep what they need. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_destroy(clothc_fabric fabric);

/* --------------------------------------------------------------------------------------------- solver and updates */

/** How work is divided among workers. It never changes results. AUTO chooses PASS for cloths of 4,096 particles or more
 *  that make up more than one worker's part of the solver, and CLOTH for all others; on devices with
 *  CLOTHC_CAPABILITY_SOFTWARE_DEVICE it always chooses PASS. On the CPU, a program that queues updates faster than they
 *  run gains by PASS for smaller cloths too: see docs/performance.md. */
typedef uint32_t clothc_schedule;
enum {
  CLOTHC_SCHEDULE_AUTO = 0,
  /** One worker runs all iterations of a cloth, unless the limits of a GPU forbid it. */
  CLOTHC_SCHEDULE_CLOTH = 1,
  /** Every pass over a cloth is divided among all workers. */
  CLOTHC_SCHEDULE_PASS = 2
};

/** How to make a solver. */
typedef struct clothc_solver_desc {
  uint32_t struct_size;
  /** Number of particles of all cloths together. Each cloth takes its particles and spare particles, rounded up to a
   *  multiple of 16, and 16 more. Each particle takes 48 bytes of device memory at once; what only some cloths have,
   *  such as accelerations or constraints, takes memory when it is first set. Range 1 .. 2^26; default 65536. */
  uint32_t particle_capacity;
  /** 1 .. 2^20; default 1024. */
  uint32_t cloth_capacity;
  /** 0 .. 2^20; default 256. */
  uint32_t collider_set_capacity;
  /** Default AUTO. */
  clothc_schedule schedule;
  /** Number of updates that may be queued before the next one waits, 1 .. 16; default 3. */
  uint32_t updates_in_flight;
  /** Number of contacts that an update can report, 0 .. 2^24; default 0. */
  uint32_t contact_capacity;
  /** Must be 0. */
  uint32_t reserved;
} clothc_solver_desc;

/** Creates a solver. Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_create(clothc_device device, const clothc_solver_desc* desc,
                                                          clothc_solver* solver);

/** Destroys a solver and its cloths after the work that is queued. Waits: for that work. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_destroy(clothc_solver solver);

/** Update flags. */
enum {
  /** Return NOT_READY and do nothing if updates_in_flight updates are queued already, or if the update would let a copy
   *  go first. */
  CLOTHC_UPDATE_NO_WAIT = 1 << 0,
  /** Measure the times that clothc_solver_get_timers returns. Without it, nothing is measured. UNSUPPORTED if the
   *  device lacks CLOTHC_CAPABILITY_TIMERS. */
  CLOTHC_UPDATE_TIMERS = 1 << 1
};

/** One update. */
typedef struct clothc_update {
  uint32_t struct_size;
  /** CLOTHC_UPDATE_... Default 0. */
  uint32_t flags;
  /** Seconds, 0 or 1e-6 .. 10; default 1/60. With 0 nothing moves: targets of shapes, motion constraints and separation
   *  constraints count as reached, while frames and velocities that were set wait for the next update. */
  float dt;
  /** Must be 0. */
  uint32_t reserved;
  /** The update starts when this fence has reached wait_value. NULL = at once. */
  clothc_fence wait_fence;
  uint64_t wait_value;
  /** The end of the update raises this fence to signal_value. NULL = none. */
  clothc_fence signal_fence;
  /** Must be above all values that were signalled or queued for this fence before. */
  uint64_t signal_value;
} clothc_update;

/** Moves every cloth of the solver by dt. The call returns while the work goes on, or when it is done if there is
 *  little or the thread always waits at once (see CLOTHC_DEVICE_TASKS_ONLY). Each cloth runs max(1, trunc(dt *
 *  solver_frequency + 0.5)) iterations, computed in float32. An update is held back if it is shorter than a quarter of
 *  the cloth's last iteration, or of the mean of its last acceleration_filter_width iterations: the cloth then runs no
 *  iteration and stays as it is in its frame, and the time is added to that of the next updates until they make half
 *  an iteration. So tiny updates between normal ones neither shake a cloth nor lose time.
 *  value: receives the timeline value that the end of this update reaches; may be NULL.
 *  Waits: if updates_in_flight updates are queued, for the oldest of them; if another thread waits to copy from or to a
 *  bound buffer, for that copy (see clothc_buffer_read). Neither with NO_WAIT.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT, INVALID_STATE (a bound buffer is mapped), UNSUPPORTED
 *  (TIMERS), DEVICE_LOST; NOT_READY with NO_WAIT.
 *  Source: PhysX 3.4 manual, Cloth; NvCloth, "Internal solver function/algorithm documentation". */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_update(clothc_solver solver, const clothc_update* update,
                                                          uint64_t* value);

/** Waits until the solver's timeline has reached value, at most timeout_ns nanoseconds, and does work meanwhile (see
 *  CLOTHC_DEVICE_TASKS_ONLY). With 0 it only asks.
 *  value: UINT64_MAX = everything queued so far.
 *  Waits: for the work up to value.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (a value not queued yet), DEVICE_LOST; TIMEOUT. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_wait(clothc_solver solver, uint64_t value, uint64_t timeout_ns);

/** Says whether the solver's timeline has reached value, without waiting: SUCCESS or NOT_READY.
 *  completed: receives the value reached so far; may be NULL.
 *  Errors: as clothc_solver_wait. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_poll(clothc_solver solver, uint64_t value, uint64_t* completed);

/* -------------------------------------------------------------------------------------------------------- cloths */

/** Cloth flags. */
enum {
  /** With phase_config_count 0: solve no phase at all. */
  CLOTHC_CLOTH_NO_PHASES = 1 << 0
};

/** How to make a cloth. */
typedef struct clothc_cloth_desc {
  uint32_t struct_size;
  /** 0 = every phase of the fabric once, with default settings, unless flags has NO_PHASES. */
  uint32_t phase_config_count;
  clothc_fabric fabric;
  /** [particle_count][4]: x y z in m, |component| <= 1e9, and the inverse mass in 1/kg, 0 .. 1e9. NULL = the
   *  fabric's. */
  const float* positions;
  /** NULL = defaults. */
  const clothc_cloth_parameters* parameters;
  /** [phase_config_count]. The struct_size of the first one is the stride. */
  const clothc_phase_config* phase_configs;
  /** [collider_set_count] the collider sets that the cloth collides with. */
  const clothc_collider_set_id* collider_sets;
  uint32_t collider_set_count;
  /** CLOTHC_CLOTH_... Default 0. */
  uint32_t flags;
  /** Factor on the fabric's rest lengths and tethers, and on its positions if those are used, but not on masses.
   *  1e-3 .. 1e3; default 1. */
  float scale;
  /** Number of unused particles to reserve behind the cloth's own, for cutting and tearing; 0 .. 2^24; default 0. */
  uint32_t spare_particle_count;
} clothc_cloth_desc;

/** Adds a cloth, at rest, in the first free range of particles that fits.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT (naming the first bad particle or field), CAPACITY
 *  (naming the size of the largest free range), OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_add(clothc_solver solver, const clothc_cloth_desc* desc,
                                                      clothc_cloth_id* cloth);

/** Removes a cloth. Cloths that are added later can use its range of particles. Errors: INVALID_HANDLE. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_remove(clothc_solver solver, clothc_cloth_id cloth);

/* ------------------------------------------------------------------------------------------------------ channels */

/** Data of a solver that sets and gets copy. A per-particle channel has particle_capacity elements; a cloth's are at
 *  [first_particle, first_particle + particle_count) of its clothc_cloth_info. A per-cloth channel has one element per
 *  cloth, in the order in which the cloths were added. */
typedef uint32_t clothc_channel;
enum {
  /** FLOAT4 x y z in m and inverse mass in 1/kg. As FLOAT3 it leaves inverse masses as they are. */
  CLOTHC_CHANNEL_POSITION = 1,
  /** FLOAT3 or FLOAT4 (w is 0 and ignored), m: the position at the end of the previous iteration. */
  CLOTHC_CHANNEL_PREVIOUS_POSITION = 2,
  /** FLOAT3 or FLOAT4 (w is 0 and ignored), m/s. */
  CLOTHC_CHANNEL_VELOCITY = 3,
  /** FLOAT3 or FLOAT4 (w is 0 and ignored), m/s2: added to gravity in every iteration. Default 0. */
  CLOTHC_CHANNEL_ACCELERATION = 4,
  /** FLOAT4, m: centre and radius, at the update's end, of the sphere that the particle stays in. A radius of 0
   *  holds the particle at the centre; a negative radius leaves it free. Values above 1e9 are ignored. */
  CLOTHC_CHANNEL_MOTION_CONSTRAINT = 5,
  /** FLOAT4, m: the same at the update's start. Default: the last target. */
  CLOTHC_CHANNEL_MOTION_CONSTRAINT_START = 6,
  /** RECORD clothc_cloth_parameters per cloth. */
  CLOTHC_CHANNEL_CLOTH_PARAMETERS = 7,
  /** RECORD clothc_cloth_status per cloth. It cannot be set. */
  CLOTHC_CHANNEL_CLOTH_STATUS = 8,
  /** FLOAT4, m: centre and radius, at the update's end, of the sphere that the particle stays out of. A radius of 0
   *  or below means that there is none. */
  CLOTHC_CHANNEL_SEPARATION_CONSTRAINT = 9,
  /** FLOAT4, m: the same at the update's start. Default: the last target. */
  CLOTHC_CHANNEL_SEPARATION_CONSTRAINT_START = 10,
  /** RECORD clothc_cloth_frame per cloth. */
  CLOTHC_CHANNEL_CLOTH_FRAME = 11,
  /** FLOAT3 or FLOAT4 (w is 0): a unit vector, or 0 0 0 where the particle has no triangle. It cannot be set. */
  CLOTHC_CHANNEL_NORMAL = 12,
  /** FLOAT3 or FLOAT4: a unit vector along u, with the sign of the bitangent in w. It is 0 0 0 0 for fabrics without
   *  texture coordinates. It cannot be set. */
  CLOTHC_CHANNEL_TANGENT = 13,
  /** RECORD clothc_contact [contact_capacity]: the contacts of the last update, sorted by cloth (in the order in
   *  which they were added), particle, kind (triangles and meshes count as one), collider set and shape. Elements
   *  behind the last contact are 0. Particles that are not finite have none. An update with a dt of 0 leaves those of
   *  the update before it; snapshots have none, so a restored solver has none until its first update. It cannot be
   *  set. */
  CLOTHC_CHANNEL_CONTACT = 14,
  /** UINT: how many contacts the last update had, which may be more than contact_capacity. It cannot be set. */
  CLOTHC_CHANNEL_CONTACT_COUNT = 15,
  /** FLOAT3 or FLOAT4 (w is 1 where a rest position was set and 0 elsewhere; sets ignore it), m. Two particles that
   *  are nearer to each other at rest than self_collision_distance do not collide with each other. Default: none. */
  CLOTHC_CHANNEL_REST_POSITION = 16,
  /** UINT: the number of a particle's group in the bits of CLOTHC_PARTICLE_PHASE_GROUP_MASK, plus
   *  CLOTHC_PARTICLE_PHASE_SELF_COLLIDE or not. It decides which particles of one cloth or group collide with each
   *  other. Values with other bits are ignored and counted in non_finite_count. Default: none; then all particles of a
   *  cloth collide with each other, and those of a group do not. Source: Flex manual, "Phase". */
  CLOTHC_CHANNEL_PARTICLE_PHASE = 17,
  /** UINT: how many intersections of an edge with a triangle of the same cloth the particle's edges and triangles have
   *  a part in. It is 0 everywhere where a cloth is not tangled; the sum over a cloth is five times the number of
   *  intersections. Edges and triangles that share a particle are not compared, and those that touch, to within the
   *  rounding of positions, do not count. A get works it out from the current
   *  positions. The first one of a fabric waits for the device, and takes about 90 bytes per particle of the fabric and
   *  150 per particle of each cloth until the cloth is removed. It cannot be set or bound. Source: Baraff, Witkin and
   *  Kass 2003, Untangling Cloth. */
  CLOTHC_CHANNEL_INTERSECTION_COUNT = 18,
  /** FLOAT3 or FLOAT4 (w is the inverse mass), m: the position at the begin of the update, for motion vectors. It can
   *  only be bound, see clothc_cloth_bind. */
  CLOTHC_CHANNEL_START_POSITION = 19
};

/** The parts of a PARTICLE_PHASE. Two particles whose numbers differ collide. Two particles with the same number
 *  collide if both have SELF_COLLIDE. Between different cloths and groups phases do not matter. */
enum { CLOTHC_PARTICLE_PHASE_GROUP_MASK = 0x00ffffff, CLOTHC_PARTICLE_PHASE_SELF_COLLIDE = 1 << 24 };

/** View flags. */
enum {
  /** clothc_cloth_bind: in the coordinates of the world, by the pose of the cloth's frame at the end of the update or,
   *  for START_POSITION, at its begin. Without it, in the coordinates of the frame. */
  CLOTHC_VIEW_WORLD = 1 << 0
};

/** Which part of each element of a buffer is meant, for vertices that interleave positions with other data. */
typedef struct clothc_view {
  uint32_t struct_size;
  /** FLOAT3 or FLOAT4 (FLOAT or UINT where the channel has them). Default FLOAT4. */
  clothc_format format;
  /** Bytes from the begin of the buffer to the value of element 0, a multiple of 4. Default 0. */
  uint64_t byte_offset;
  /** Bytes from one element to the next, a multiple of 4. Default 0 = the buffer's stride. */
  uint32_t stride;
  /** CLOTHC_VIEW_... Default 0. */
  uint32_t flags;
} clothc_view;

/** One range to copy, in elements. A set reads [source_offset, source_offset + count) of the buffer and writes
 *  [target_offset, target_offset + count) of the channel; a get reads the channel and writes the buffer. */
typedef struct clothc_region {
  uint32_t source_offset;
  uint32_t target_offset;
  uint32_t count;
} clothc_region;

/** Set flags. */
enum {
  /** POSITION: set the previous positions too, so that the particles have no velocity. */
  CLOTHC_SET_AT_REST = 1 << 0
};

/** Copies from a buffer to a channel, after everything queued before. The buffer is busy until then.
 *  view: NULL = the buffer's own format and stride. regions: [region_count], copied in order; NULL with 0 = the
 *  buffer's elements to the channel's first ones. Elements that belong to no cloth are skipped. Record channels are
 *  copied during the call. Inverse masses set by POSITION pin and unpin particles from the next update on. Values are
 *  checked where they are used: one that is not finite there never reaches the state (see non_finite_count). Values,
 *  displacements and coordinates below 2^-64 become 0, because some devices have no denormal numbers.
 *  flags: CLOTHC_SET_... .
 *  Waits: for record channels, for the sets, gets and updates that use the buffer; for others, if another thread waits to
 *  copy from or to the buffer, for that copy (see clothc_buffer_read).
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT (channel, format, view, region, a record's field),
 *  INVALID_STATE (the buffer is mapped), CAPACITY (a channel of these cloths is too large), OUT_OF_MEMORY,
 *  DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_set(clothc_solver solver, clothc_channel channel,
                                                       clothc_buffer buffer, const clothc_view* view,
                                                       const clothc_region* regions, uint32_t region_count,
                                                       uint32_t flags);

/** Copies from a channel to a buffer, after everything queued before. Map the buffer to wait for it.
 *  view: NULL = the buffer's own format and stride. regions: [region_count], copied in order; NULL with 0 = the
 *  channel's first elements to the buffer's. flags: must be 0.
 *  Waits: as clothc_solver_set; for the first INTERSECTION_COUNT of a fabric, for everything queued.
 *  Errors: as clothc_solver_set. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_get(clothc_solver solver, clothc_channel channel,
                                                       clothc_buffer buffer, const clothc_view* view,
                                                       const clothc_region* regions, uint32_t region_count,
                                                       uint32_t flags);

/* ============================================================================================ level 2: behaviour */

/* ------------------------------------------------------------------------------------------ parameters of a cloth */

/** What happens to a cloth that sleeps. A change of any value of the cloth, of its frame or of its colliders wakes
 *  it, and so does every set of a per-particle channel. */
typedef uint32_t clothc_sleep_policy;
enum {
  /** Its iterations are left out: it costs almost nothing and stays exactly as it is. */
  CLOTHC_SLEEP_SKIP = 0,
  /** It is solved all the same; only its status says that it sleeps. */
  CLOTHC_SLEEP_REPORT = 1
};

/** What an update finds out about a cloth. Kinetic energy and stretch cost one pass over the cloth. */
enum {
  /** Kinetic energy of the particles that are not pinned. */
  CLOTHC_STATISTIC_KINETIC_ENERGY = 1 << 0,
  /** Stretch of the constraints of all phases that the cloth solves, except bend phases. */
  CLOTHC_STATISTIC_STRETCH = 1 << 1,
  /** The box around the particles. The other statistics bring it along. */
  CLOTHC_STATISTIC_BOUNDS = 1 << 2
};

/** How a cloth collides with shapes. */
enum {
  /** Collide along the paths of the particle and the shape during an iteration, so that neither passes through the
   *  other. Costs about twice as much. */
  CLOTHC_COLLISION_CONTINUOUS = 1 << 0,
  /** The fabric's virtual particles collide with spheres, capsules and ellipsoids too. */
  CLOTHC_COLLISION_VIRTUAL_PARTICLES = 1 << 1,
  /** Contacts of the cloth's particles, but not of virtual ones, go to the channel CONTACT. Costs about as much as the
   *  collisions of one more iteration. */
  CLOTHC_COLLISION_REPORT = 1 << 2
};

/** Parameters of a cloth. rate(c) = 1 - (1 - c)^(stiffness_frequency h) is the part of an error that an iteration of h
 *  seconds removes, so that a stiffness c acts at the same speed at any solver frequency.
 *  Source: NvCloth solver documentation, "Log Stiffness". */
struct clothc_cloth_parameters {
  uint32_t struct_size;
  /** Number of iterations over which the time step of gravity is averaged, 1 .. 256; default 30. */
  uint32_t acceleration_filter_width;
  /** m/s2, |component| <= 1e6; default 0 -9.81 0. */
  float gravity[3];
  /** Part of the velocity lost per 1/stiffness_frequency seconds, per axis, 0 .. 1; default 0. */
  float damping[3];
  /** Iterations per second, 1 .. 100000; default 300. */
  float solver_frequency;
  /** The rate in 1/s for which damping and stiffness are given, 0.01 .. 100000; default 10. */
  float stiffness_frequency;

  /** Coefficient of friction against colliders, 0 .. 100; default 0. */
  float friction;
  /** m, 0 .. 1. Default 0: Coulomb's law, and a particle that friction holds stays where it is. Above 0, friction
   *  acts on velocities only, so that cloth creeps, and it fades where the depth or the slip per iteration is below
   *  this length. NvCloth uses 3.4526698e-4 in any unit of length. */
  float friction_smoothing;

  /** 0 .. 1, 0 = off; default 1. */
  float tether_stiffness;
  /** Factor on tether lengths, 0 .. 1000; default 1. */
  float tether_scale;

  /** 0 .. 1; default 1. */
  float motion_constraint_stiffness;
  /** Factor on the radii of motion constraints, 0 .. 1000; default 1. */
  float motion_constraint_scale;
  /** m, added to the radii of motion constraints, |value| <= 1e6; default 0. */
  float motion_constraint_bias;

  /** Part of the frame's velocity that the cloth loses per 1/stiffness_frequency seconds, 0 .. 1; default 0. */
  float linear_drag[3];
  /** The same for the frame's rotation, about each axis of the frame, 0 .. 1; default 0. */
  float angular_drag[3];
  /** Part of the frame's acceleration that the cloth feels, per axis of the world, 0 .. 1; default 1. */
  float linear_inertia[3];
  /** Part of the frame's angular acceleration that the cloth feels, per axis of the frame, 0 .. 1; default 1. */
  float angular_inertia[3];
  /** Part of the centrifugal and Coriolis accelerations that the cloth feels, per axis of the frame, 0 .. 1; default
   *  1. */
  float centrifugal_inertia[3];

  /** m/s in the world, |component| <= 1e6; default 0. */
  float wind_velocity[3];
  /** Strength of the force along the relative wind, as a stiffness, 0 .. 1; default 0. */
  float drag_coefficient;
  /** Strength of the force across the relative wind, as a stiffness, 0 .. 1; default 0. */
  float lift_coefficient;
  /** Density of the air, kg/m3, 0 .. 1e6; default 1. */
  float fluid_density;

  /** m/s. A particle is still if each component of its velocity is below this, over an iteration, or over an update
   *  where cloth collides with cloth. 0 = the cloth never sleeps. 0 .. 1e6; default 0. */
  float sleep_threshold;
  /** Milliseconds from one test to the next, 1 .. 1000000; default 200. */
  uint32_t sleep_test_interval;
  /** Number of tests in a row that must find all particles still before the cloth sleeps, 1 .. 2^31; default 10. */
  uint32_t sleep_after_count;
  /** Default SKIP. */
  clothc_sleep_policy sleep_policy;

  /** CLOTHC_STATISTIC_... to compute in every update; default BOUNDS. With 0, large cloths on GPUs are a few per cent
   *  faster. */
  uint32_t statistics;

  /** CLOTHC_COLLISION_...; default VIRTUAL_PARTICLES. */
  uint32_t collision_flags;
  /** Distance that particles keep from shapes, m, 0 .. 1e6; default 0. */
  float contact_margin;
  /** 1/m2, 0 .. 1e12; default 0. A particle that spheres, capsules or ellipsoids push by d counts as 1 + this d^2
   *  times as heavy until the collisions of the next iteration. */
  float collision_mass_scale;

  /** Distance that the cloth's particles keep from each other, m, 0 .. 1e6; 0 = off; default 0. It must be below the
   *  smallest distance of two particles at rest, unless REST_POSITION is set. */
  float self_collision_distance;
  /** 0 .. 1, 0 = off; default 1. */
  float self_collision_stiffness;
  /** Coefficient, 0 .. 100; default 0. */
  float self_collision_friction;
  /** Part lost of the speed at which particles that were pushed apart separate, 0 .. 1; default 0. */
  float self_collision_damping;

  /** Thickness against other cloths, m, 0 .. 1e6. Two cloths keep the mean of their thicknesses apart. 0 = the cloth
   *  does not collide with other cloths. Default 0. */
  float inter_collision_distance;
  /** Part of an overlap that a pass removes, 0 .. 1. Between two cloths the lesser value counts. Default 1. */
  float inter_collision_stiffness;
  /** Coefficient, 0 .. 100. Between two cloths the square root of the product counts. Default 0. */
  float inter_collision_friction;
  /** As self_collision_damping, 0 .. 1. Between two cloths the lesser value counts. Default 0. */
  float inter_collision_damping;
  /** 0 = the cloths collide in every iteration. 1 .. 64 = they collide in so many passes at the update's end, as in
   *  NvCloth, which is quicker but less steady. Only cloths of the same kind collide with each other. Default 0. */
  uint32_t inter_collision_iterations;
  /** Bits that say what the cloth is; default 1. */
  uint32_t inter_collision_group;
  /** Bits that say what the cloth collides with. Two cloths collide if each one's mask has a bit of the other's group.
   *  Default: all bits. */
  uint32_t inter_collision_mask;
  /** How much of the stretch over many particles is corrected on coarse levels per iteration, 0 .. 1; default 1. It
   *  acts as the stiffness of a phase does, and no more than that of the stretch phases that the cloth solves. Fine
   *  cloth then hardly stretches in few iterations, each of which costs about 1.5 times as much. 0 switches it off.
   *  Cooked fabrics have coarse levels, unless they were cooked with CLOTHC_COOK_NO_HIERARCHY; raw ones have none.
   *  Source: Mueller 2008, Hierarchical Position Based Dynamics. */
  float hierarchy_stiffness;
};

/** Sets a cloth's parameters for the updates that follow.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT (a field, or wind for a fabric without triangles),
 *  OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_set_parameters(clothc_solver solver, clothc_cloth_id cloth,
                                                                 const clothc_cloth_parameters* parameters);

/** Reads a cloth's parameters as last set. Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_get_parameters(clothc_solver solver, clothc_cloth_id cloth,
                                                                 clothc_cloth_parameters* parameters);

/* -------------------------------------------------------------------------------------------------------- phases */

/** What the constraints of a phase are for. Only LONG_RANGE changes how they are solved. */
typedef uint32_t clothc_phase_type;
enum {
  CLOTHC_PHASE_OTHER = 0,
  /** Along the edges of the mesh. */
  CLOTHC_PHASE_STRETCH = 1,
  /** Across the diagonals of quads. */
  CLOTHC_PHASE_SHEAR = 2,
  /** Between vertices two edges apart. */
  CLOTHC_PHASE_BEND = 3,
  /** With a gravity hint, in place of STRETCH: edges within 45 degrees of the hint. */
  CLOTHC_PHASE_VERTICAL = 4,
  /** With a gravity hint, in place of STRETCH: the other edges. */
  CLOTHC_PHASE_HORIZONTAL = 5,
  /** With texture coordinates, in place of STRETCH: edges within 45 degrees of the direction of v. */
  CLOTHC_PHASE_WARP = 6,
  /** With texture coordinates, in place of STRETCH: the other edges. */
  CLOTHC_PHASE_WEFT = 7,
  /** Keeps particles several edges apart from getting farther apart, but lets them come nearer. Of the phase's
   *  settings only the stiffness counts, stiffness_values do not, and statistics of stretch leave it out. */
  CLOTHC_PHASE_LONG_RANGE = 8
};

/** How one phase of the fabric is solved. A cloth solves its configs in order; by default it solves each phase once.
 *  The error of a constraint is e = 1 - rest / length. The part clamp(e, 1 - 1/compression_limit, 1 - 1/stretch_limit)
 *  of it is corrected only by the rate of stiffness_multiplier m, m^(stiffness_frequency h).
 *  Source: PhysX 3.4 manual, Cloth, "Phase config"; NvCloth solver documentation, "Edge constraints". */
struct clothc_phase_config {
  uint32_t struct_size;
  /** Index of the fabric's phase. */
  uint32_t phase;
  /** 0 .. 1; 0 = the phase is not solved; default 1. */
  float stiffness;
  /** 0 .. 1; 1 = there is no soft zone; default 1. */
  float stiffness_multiplier;
  /** Length / rest length at which the soft zone ends under compression, 0.01 .. 1; default 1. */
  float compression_limit;
  /** Length / rest length at which the soft zone ends under stretch, 1 .. 100; default 1. */
  float stretch_limit;
};

/** Sets the phases that a cloth solves, in order. A phase may be listed several times or not at all.
 *  configs: [config_count]; the struct_size of the first one is the stride.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_set_phases(clothc_solver solver, clothc_cloth_id cloth,
                                                             const clothc_phase_config* configs, uint32_t config_count);

/** Reads the phases that a cloth solves.
 *  configs: [*count], where the struct_size of the first one is set and is the stride; or NULL to ask for the count.
 *  count: in, the length of configs; out, the number of phases.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT; INCOMPLETE. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_get_phases(clothc_solver solver, clothc_cloth_id cloth,
                                                             clothc_phase_config* configs, uint32_t* count);

/* -------------------------------------------------------------------------------------------------------- frames */

/** Frame flags: what happens before the next update, in addition to the frame's motion to its target. */
enum {
  /** The frame and the cloth in it are put at start_translation and start_rotation. The cloth feels nothing of this
   *  jump. */
  CLOTHC_FRAME_START = 1 << 0,
  /** The frame and the cloth in it jump to the target, and the frame keeps the velocity that it had. */
  CLOTHC_FRAME_TELEPORT = 1 << 1,
  /** The frame jumps to its target and counts as having always been at rest there. */
  CLOTHC_FRAME_CLEAR_INERTIA = 1 << 2,
  /** The frame's velocities count as those of the last update. */
  CLOTHC_FRAME_IGNORE_DISCONTINUITY = 1 << 3,
  /** Constraints and shapes are at their targets from the begin of the update. */
  CLOTHC_FRAME_CLEAR_INTERPOLATION = 1 << 4
};

/** The coordinate system in which a cloth lives: positions, normals, accelerations, constraints and local colliders are
 *  in the frame's coordinates, gravity and wind in those of the world. A frame that accelerates or turns drags the
 *  cloth along, as much as linear_inertia, angular_inertia and centrifugal_inertia say. Every update moves the frame to
 *  its target, where it stays until another target is set.
 *  Source: PhysX 3.4 manual, Cloth, "Local space simulation". */
typedef struct clothc_cloth_frame {
  uint32_t struct_size;
  /** CLOTHC_FRAME_... for the next update. The flags of several calls add up. */
  uint32_t flags;
  /** m, at the update's end, |component| <= 1e9; default 0. */
  float translation[3];
  /** Quaternion x y z w at the update's end, of length 1 within 1e-3; default 0 0 0 1. */
  float rotation[4];
  /** With START: as translation, at the update's start; default 0. */
  float start_translation[3];
  /** With START: as rotation, at the update's start; default 0 0 0 1. */
  float start_rotation[4];
} clothc_cloth_frame;

/** Sets where a cloth's frame moves in the next update. Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_set_frame(clothc_solver solver, clothc_cloth_id cloth,
                                                            const clothc_cloth_frame* frame);

/** Reads a cloth's frame: the target as last set, the start of the next update, and the flags that wait for it.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_get_frame(clothc_solver solver, clothc_cloth_id cloth,
                                                            clothc_cloth_frame* frame);

/* ------------------------------------------------------------------------------------- collision with shapes */

/** Where the shapes of a collider set are. */
typedef uint32_t clothc_collider_space;
enum {
  /** In the frame of each cloth that lists the set. */
  CLOTHC_COLLIDER_SPACE_LOCAL = 0,
  /** In the world: a cloth's frame moves past them. */
  CLOTHC_COLLIDER_SPACE_WORLD = 1
};

/** Shapes of a collider set at the end of the next update and, optionally, at its start. They move linearly from start
 *  to target over the iterations of the update. Where no start is given, the last target is the start; shapes beyond
 *  the number of the last set start at their target. Rotations are quaternions x y z w of length 1 within 1e-3 and take
 *  the shorter way.
 *  Source: PhysX 3.4 manual, Cloth, "Collision shapes"; NvCloth, "Internal collision detection documentation". */
typedef struct clothc_collider_shapes {
  uint32_t struct_size;

  uint32_t sphere_count;
  /** [sphere_count][4] x y z and radius in m; finite, radius 0 .. 1e9. */
  const float* spheres;
  /** [sphere_count][4] or NULL. */
  const float* sphere_starts;

  uint32_t plane_count;
  /** 0 = every plane is a half-space of its own. */
  uint32_t convex_count;
  /** [plane_count][4] nx ny nz d. The cloth stays where n.p + d >= 0. |n| is 1 within 1e-3. */
  const float* planes;
  /** [plane_count][4] or NULL. */
  const float* plane_starts;
  /** [convex_count] end of each convex in convex_planes: inclusive prefix sums. */
  const uint32_t* convex_ends;
  /** [convex_ends[convex_count - 1]] the planes of each convex, by index. A point is inside if it is below all of
   *  them. */
  const uint32_t* convex_planes;

  uint32_t capsule_count;
  uint32_t ellipsoid_count;
  /** [capsule_count][2] indices of two different spheres: a capsule is both of them and the cone tangent to both. A
   *  sphere may belong to many capsules; it then collides where it sticks out of them. */
  const uint32_t* capsules;
  /** [ellipsoid_count][10] centre x y z, rotation x y z w, radii along its axes 0 .. 1e9. With a radius of 0 it
   *  collides with nothing. */
  const float* ellipsoids;
  /** [ellipsoid_count][10] or NULL. */
  const float* ellipsoid_starts;

  uint32_t box_count;
  /** Of all shapes of the set; default LOCAL. */
  clothc_collider_space space;
  /** [box_count][10] centre x y z, rotation x y z w, half of each side 0 .. 1e9. */
  const float* boxes;
  /** [box_count][10] or NULL. */
  const float* box_starts;

  /** Number of vertices of the triangles, 0 .. 2^24. */
  uint32_t vertex_count;
  /** 0 .. 2^23. */
  uint32_t triangle_count;
  /** [vertex_count][3] m, finite, |component| <= 1e9. */
  const float* vertices;
  /** [vertex_count][3] or NULL. */
  const float* vertex_starts;
  /** [triangle_count][3] vertices, counter-clockwise seen from the side where the cloth is. A triangle without an area
   *  collides with nothing. NULL = 0 1 2, 3 4 5 .. */
  const uint32_t* triangles;
  /** m, above 0 or INFINITY; default 0.1. A particle behind its nearest triangle is put back in front of it if it is
   *  not farther away than this. */
  float triangle_reach;
  /** Must be 0. */
  uint32_t reserved;

  /** Number of instances of collider meshes and signed distance fields (level 6). */
  uint32_t instance_count;
  /** Must be 0. */
  uint32_t reserved_instances;
  /** [instance_count] the mesh or signed distance field of each. */
  const clothc_collider_asset_id* instance_assets;
  /** [instance_count][8] translation x y z, rotation x y z w, scale 1e-3 .. 1e3. */
  const float* instances;
  /** [instance_count][8] or NULL. */
  const float* instance_starts;
} clothc_collider_shapes;

/** Creates an empty collider set. Errors: INVALID_HANDLE, INVALID_ARGUMENT, CAPACITY, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_set_create(clothc_solver solver, clothc_collider_set_id* set);

/** Destroys a collider set. Cloths that list it no longer do. Errors: INVALID_HANDLE. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_set_destroy(clothc_solver solver, clothc_collider_set_id set);

/** Replaces all shapes of a collider set for the updates that follow.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT naming the shape, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_set_write(clothc_solver solver, clothc_collider_set_id set,
                                                               const clothc_collider_shapes* shapes);

/** Sets which collider sets a cloth collides with, in order. sets: [set_count].
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (a set listed twice), OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_set_collider_sets(clothc_solver solver, clothc_cloth_id cloth,
                                                                    const clothc_collider_set_id* sets,
                                                                    uint32_t set_count);

/* ---------------------------------------------------------------------------------- collision with cloth */

/** Sets which particles of a cloth collide with cloth, its own or another one. Fewer particles are faster.
 *  particles: [particle_count] different indices below the cloth's particle_count, in any order; NULL with 0 = all.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (naming the particle), OUT_OF_MEMORY.
 *  Source: PhysX 3.4 manual, Cloth, "Self-Collision of a Single Cloth Actor". */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_set_self_collision_particles(clothc_solver solver,
                                                                               clothc_cloth_id cloth,
                                                                               const uint32_t* particles,
                                                                               uint32_t particle_count);

/* ========================================================================================== level 3: information */

/** Status flags. */
enum {
  /** The last update restored particles because their positions were not finite. */
  CLOTHC_STATUS_NON_FINITE = 1 << 0,
  /** sleep_after_count tests in a row found all particles still. */
  CLOTHC_STATUS_ASLEEP = 1 << 1
};

/** What the last update found about a cloth. */
typedef struct clothc_cloth_status {
  uint32_t struct_size;
  /** CLOTHC_STATUS_... */
  uint32_t flags;
  /** Number of iterations of the last update. 0 if the cloth slept, or if the update was held back. */
  uint32_t iteration_count;
  /** Number of particles restored from their previous position, and of values in sets that were ignored because they
   *  were not finite or out of range, since the cloth was added. */
  uint32_t non_finite_count;
  /** m, of the particles at the end of the last update with a dt above 0. 0 before the first one after the cloth was
   *  added or reset, and where parameters.statistics is 0. */
  float bounds_minimum[3];
  float bounds_maximum[3];
  /** Seconds that the last iteration took of simulated time. 0 before the first. */
  float iteration_dt;
  /** Number of sleep tests in a row that found all particles still. */
  uint32_t sleep_pass_count;
  /** J, of the motion within the cloth's frame. 0 unless parameters.statistics asks for it. */
  float kinetic_energy;
  /** Largest length / rest length of a constraint, minus 1. 0 unless parameters.statistics asks for it, and if the
   *  cloth solves no constraint that counts. */
  float largest_stretch;
} clothc_cloth_status;

/** Reads the status of a cloth after everything queued so far.
 *  Waits: for everything queued.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT, DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_get_status(clothc_solver solver, clothc_cloth_id cloth,
                                                             clothc_cloth_status* status);

/** What a cloth is. */
typedef struct clothc_cloth_info {
  uint32_t struct_size;
  /** First element of the cloth in per-particle channels. Only clothc_solver_compact and clothc_solver_restore
   *  change it. */
  uint32_t first_particle;
  uint32_t particle_count;
  uint32_t phase_config_count;
  uint32_t collider_set_count;
  /** Index among the solver's cloths, for per-cloth channels. */
  uint32_t index;
  /** How many cloths were added to the solver before this one. */
  uint64_t ordinal;
  /** Content hash of the cloth's fabric. */
  uint64_t fabric_hash;
  float scale;
  uint32_t spare_particle_count;
} clothc_cloth_info;

/** Says what a cloth is. Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_get_info(clothc_solver solver, clothc_cloth_id cloth,
                                                           clothc_cloth_info* info);

/** Lists the solver's cloths in the order in which they were added.
 *  cloths: [*count], or NULL to ask for the count. count: in, the length of cloths; out, the number of cloths.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT; INCOMPLETE. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_list(clothc_solver solver, clothc_cloth_id* cloths, uint32_t* count);

/* -------------------------------------------------------------------------------------------------------- groups */

/** How to make a group. */
typedef struct clothc_group_desc {
  uint32_t struct_size;
  /** 1 .. 2^24. Not all of them need to be active. */
  uint32_t particle_count;
  /** [particle_count][4]: x y z in m, |component| <= 1e9, and the inverse mass in 1/kg, 0 .. 1e9, 0 = pinned. */
  const float* positions;
  /** Half the distance in m that particles keep from each other, 0 .. 5e5; default 0 = they do not collide with
   *  particles. If it is above 0, self_collision_distance and inter_collision_distance of the parameters become
   *  twice this. Shapes act on the centres of particles, as they do on cloth. */
  float radius;
  uint32_t collider_set_count;
  /** NULL = defaults. */
  const clothc_cloth_parameters* parameters;
  /** [collider_set_count] the collider sets that the group collides with. */
  const clothc_collider_set_id* collider_sets;
} clothc_group_desc;

/** Adds a group: particles without a fabric, at rest, all of them active, and without springs. In all other respects a
 *  group is a cloth: it counts in cloth_capacity, is listed by clothc_cloth_list, has an element in per-cloth channels,
 *  and every function and channel of cloths takes it. It has one phase, its springs, and no triangles.
 *  Its particles collide with each other as CLOTHC_CHANNEL_PARTICLE_PHASE says, and do not if that was never set.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT (naming the first bad particle or field), CAPACITY
 *  (naming the size of the largest free range), OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_group_add(clothc_solver solver, const clothc_group_desc* desc,
                                                      clothc_group_id* group);

/** Removes a group, as clothc_cloth_remove does. Errors: INVALID_HANDLE (also for a cloth that has a fabric). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_group_remove(clothc_solver solver, clothc_group_id group);

/** Replaces the springs of a group: distance constraints with a stiffness of their own, which phase 0 of the group
 *  solves. They are solved in an order that has the same result as the order of the list. The buffers are read during
 *  the call. Springs with the same indices as before do not rebuild the update. A rest length of 0 disables a spring.
 *  indices: UINT, [2 * spring_count] the ends of each spring, which differ. rest_lengths: FLOAT, [spring_count] 0 ..
 *  4e9 m. stiffness: FLOAT, [spring_count] 0 .. 1 at stiffness_frequency; NULL = 1. Buffers may be longer.
 *  spring_count: 0 .. 2^28; with 0 the buffers are ignored.
 *  Waits: for the sets and gets that use the buffers.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (naming the first bad element), INVALID_STATE (a buffer is mapped),
 *  CAPACITY, OUT_OF_MEMORY, DEVICE_LOST. Then nothing has changed. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_group_set_springs(clothc_solver solver, clothc_group_id group,
                                                              clothc_buffer indices, clothc_buffer rest_lengths,
                                                              clothc_buffer stiffness, uint32_t spring_count);

/** Chooses which particles are active, from the next update on. Inactive particles stay where they are, collide with
 *  nothing, and count in no bounds or statistics; springs at them are not solved. Particles that become active go on
 *  from their position with the velocity that they have; set both before. May be called every frame: nothing is
 *  rebuilt. The buffer is read during the call.
 *  particles: UINT, [count] different particles of the group in any order, or NULL = the first ones. The buffer may
 *  be longer.
 *  Waits: for the sets and gets that use the buffer.
 *  Errors: as clothc_group_set_springs. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_group_set_active(clothc_solver solver, clothc_group_id group,
                                                             clothc_buffer particles, uint32_t count);

/** Lists the active particles of a group in ascending order.
 *  particles: [*count], or NULL to ask for the count. count: in, the length of particles; out, the number of them.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT; INCOMPLETE. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_group_get_active(clothc_solver solver, clothc_group_id group,
                                                             uint32_t* particles, uint32_t* count);

/** What a group is, beside its clothc_cloth_info. */
typedef struct clothc_group_info {
  uint32_t struct_size;
  /** First element of the group in per-particle channels. Only clothc_solver_compact and clothc_solver_restore
   *  change it. */
  uint32_t first_particle;
  uint32_t particle_count;
  uint32_t active_count;
  uint32_t spring_count;
  /** m, half of self_collision_distance. */
  float radius;
} clothc_group_info;

/** Says what a group is. Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_group_get_info(clothc_solver solver, clothc_group_id group,
                                                           clothc_group_info* info);

/** The kind of shape that a contact is with. */
typedef uint32_t clothc_shape_kind;
enum {
  /** shape is the index of the convex, or of the plane where planes are half-spaces. */
  CLOTHC_SHAPE_CONVEX = 1,
  CLOTHC_SHAPE_BOX = 2,
  /** shape is the index of the triangle in the set. */
  CLOTHC_SHAPE_TRIANGLE = 3,
  /** shape is the index of the instance. */
  CLOTHC_SHAPE_MESH = 4,
  /** shape is the index of the instance. */
  CLOTHC_SHAPE_SDF = 5,
  CLOTHC_SHAPE_CAPSULE = 6,
  CLOTHC_SHAPE_SPHERE = 7,
  CLOTHC_SHAPE_ELLIPSOID = 8
};

/** A particle that a shape held in the last iteration of the last update. Channel CONTACT has these as its elements. */
typedef struct clothc_contact {
  uint32_t struct_size;
  clothc_cloth_id cloth;
  /** Index in the cloth, 0 .. particle_count - 1. */
  uint32_t particle;
  /** The set that the shape belongs to. */
  clothc_collider_set_id collider_set;
  clothc_shape_kind kind;
  /** Index among the shapes of its kind in the set. */
  uint32_t shape;
  /** The triangle of a mesh; UINT32_MAX for other kinds. */
  uint32_t triangle;
  /** N s, by which the shape pushed the particle along the normal in that iteration; friction is not included. 0 for
   *  pinned particles. Divided by the cloth's iteration_dt it is a force. */
  float impulse;
  /** m, in the cloth's frame: where the shape put the particle. */
  float point[3];
  /** m, how far the shape moved the particle. */
  float depth;
  /** Unit vector in the cloth's frame: the direction in which the shape moved the particle. */
  float normal[3];
  /** 0. */
  uint32_t reserved;
} clothc_contact;

/** What a solver holds and has done. */
typedef struct clothc_solver_info {
  uint32_t struct_size;
  /** Rounded up to a multiple of 16: the number of elements of per-particle channels. */
  uint32_t particle_capacity;
  /** Number of particles of all cloths, without padding. */
  uint32_t particle_count;
  /** Number of particles in the largest free range. */
  uint32_t largest_hole;
  uint32_t cloth_capacity;
  uint32_t cloth_count;
  uint32_t collider_set_capacity;
  uint32_t collider_set_count;
  /** Number of updates queued since creation. */
  uint64_t update_count;
  /** The timeline value that the last queued call will reach. */
  uint64_t timeline_value;
  /** The timeline value reached so far. */
  uint64_t completed_value;
  /** Bytes that the library itself has sent to the device since creation, other than the data of sets. */
  uint64_t uploaded_byte_count;
  /** The part of these bytes that the last update sent. */
  uint64_t last_update_upload;
  /** Number of passes (and, for cloths that one worker solves, programs) that the last update ran. */
  uint64_t last_update_passes;
  /** Number of times that the last update handed work to a GPU's queue. */
  uint64_t last_update_submissions;
  /** Number of kernels that the last update starts on a GPU. */
  uint64_t last_update_dispatches;
  /** Number of blocks of memory that all solvers of the device have asked it for. */
  uint64_t device_allocation_count;
  uint32_t contact_capacity;
  uint32_t collider_asset_count;
} clothc_solver_info;

/** Says what a solver holds. Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_get_info(clothc_solver solver, clothc_solver_info* info);

/** The parts of an update, in the order in which they run. */
enum {
  /** Data that changed on the host, and BVHs over triangles that moved. */
  CLOTHC_PART_UPLOAD = 0,
  /** The cloths whose whole update is run by one worker each. */
  CLOTHC_PART_PROGRAMS = 1,
  /** What the other cloths do before, in and after their iterations. */
  CLOTHC_PART_BEFORE = 2,
  CLOTHC_PART_ITERATIONS = 3,
  CLOTHC_PART_AFTER = 4,
  /** Collisions between cloths, and the end of the update of the cloths that take part in them. */
  CLOTHC_PART_CLOTH_COLLISION = 5,
  CLOTHC_PART_CONTACTS = 6,
  /** Channels that are bound to buffers. */
  CLOTHC_PART_CHANNELS = 7,
  CLOTHC_PART_COUNT = 8
};

/** The stages of a cloth's update. docs/integration.md says which features have which. */
enum {
  /** The work once per update or iteration that is not per particle. */
  CLOTHC_STAGE_BEGIN = 0,
  /** Moving the shapes of collider sets along, and refitting the boxes around them. */
  CLOTHC_STAGE_SHAPES = 1,
  /** Velocities, gravity, damping and accelerations. */
  CLOTHC_STAGE_INTEGRATION = 2,
  /** Drag and lift. */
  CLOTHC_STAGE_WIND = 3,
  /** The channel MOTION_CONSTRAINT. */
  CLOTHC_STAGE_MOTION_CONSTRAINTS = 4,
  /** The tethers of fabrics. */
  CLOTHC_STAGE_TETHERS = 5,
  /** The correction of stretch on coarse levels. */
  CLOTHC_STAGE_HIERARCHY = 6,
  /** The constraints of phases, and the springs of groups. */
  CLOTHC_STAGE_PHASES = 7,
  /** The channel SEPARATION_CONSTRAINT. */
  CLOTHC_STAGE_SEPARATION_CONSTRAINTS = 8,
  /** Collision with the shapes of collider sets. */
  CLOTHC_STAGE_COLLISION = 9,
  /** Gathering the particles that collide with cloth, and refitting the BVHs over them. */
  CLOTHC_STAGE_PARTICLE_BVH = 10,
  /** Collision of each cloth with itself. */
  CLOTHC_STAGE_SELF_COLLISION = 11,
  /** Collision of cloths with each other. */
  CLOTHC_STAGE_CLOTH_COLLISION = 12,
  /** Finding out which cloths are at rest. */
  CLOTHC_STAGE_SLEEP = 13,
  /** Bounds and statistics. */
  CLOTHC_STAGE_END = 14,
  /** The contacts that the channel CONTACT reports. */
  CLOTHC_STAGE_CONTACTS = 15,
  /** All of PART_PROGRAMS on a GPU, which cannot tell the stages of these cloths apart. */
  CLOTHC_STAGE_PROGRAM = 16,
  CLOTHC_STAGE_COUNT = 17
};

/** The times of one update, in nanoseconds of the device. Source: Flex manual, "Profiling". */
typedef struct clothc_timers {
  uint32_t struct_size;
  /** Number of contacts found; 0 if no cloth reports contacts. */
  uint32_t contact_count;
  /** Which update this was, counted from 1; 0 = no times have arrived yet, and all members are 0. */
  uint64_t update;
  /** From the beginning of the update's work to its end. */
  uint64_t total_ns;
  /** By CLOTHC_PART_...; together they are not more than total_ns. */
  uint64_t part_ns[16];
  /** By CLOTHC_STAGE_...; they divide the time of the parts from PROGRAMS to CONTACTS. Where a worker of the CPU runs
   *  the whole update of a cloth, they are estimates from some of these cloths, iterations and updates. */
  uint64_t stage_ns[32];
  /** Number of particles of all cloths. */
  uint32_t particle_count;
  /** Number of constraints that an iteration solves: of phases, tethers and virtual particles. */
  uint32_t constraint_count;
  /** Number of iterations of the cloth that has most. */
  uint32_t iteration_count;
  /** 0. */
  uint32_t reserved;
} clothc_timers;

/** Returns the times of the last update with CLOTHC_UPDATE_TIMERS whose times have arrived. Times arrive when the
 *  update has ended and a later update has been queued; the call does not wait for them.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_get_timers(clothc_solver solver, clothc_timers* timers);

/* ------------------------------------------------------------------------------------------------- debug drawing */

/** What clothc_solver_get_debug_lines draws. The page docs/solver.md, "Debug lines", has the formula of each line and
 *  its colour. */
enum {
  /** The constraints of phases: grey at rest, red stretched, blue compressed. Long-range ones look like TETHERS. */
  CLOTHC_DEBUG_PHASES = 1 << 0,
  /** From each particle to its anchors: dark where the tether is slack, yellow where it is taut, red beyond that. */
  CLOTHC_DEBUG_TETHERS = 1 << 1,
  /** Crosses: white, or magenta where the inverse mass is 0. Inactive particles of groups are left out. */
  CLOTHC_DEBUG_PARTICLES = 1 << 2,
  /** Crosses at the points that collide in addition to the particles. */
  CLOTHC_DEBUG_VIRTUAL_PARTICLES = 1 << 3,
  /** From each particle along its normal. */
  CLOTHC_DEBUG_NORMALS = 1 << 4,
  /** From each particle along its velocity, as far as it goes in velocity_time. */
  CLOTHC_DEBUG_VELOCITIES = 1 << 5,
  /** Three circles around each sphere, or a cross where the radius is 0. */
  CLOTHC_DEBUG_MOTION_CONSTRAINTS = 1 << 6,
  /** Three circles around each sphere. */
  CLOTHC_DEBUG_SEPARATION_CONSTRAINTS = 1 << 7,
  /** The shapes of the collider sets of each cloth, without its contact_margin; of planes the part near the cloth. Sets
   *  in the world that several cloths use are drawn once, except planes. */
  CLOTHC_DEBUG_COLLIDERS = 1 << 8,
  /** Of the last update, if the solver has a contact_capacity and the cloth reports: a cross and the normal. */
  CLOTHC_DEBUG_CONTACTS = 1 << 9,
  /** The x, y and z axis of the cloth's frame in red, green and blue. */
  CLOTHC_DEBUG_FRAMES = 1 << 10
};

/** What to draw. */
typedef struct clothc_debug_desc {
  uint32_t struct_size;
  /** CLOTHC_DEBUG_...; default PHASES and COLLIDERS. */
  uint32_t flags;
  /** The cloth or group to draw; default 0 = all. */
  clothc_cloth_id cloth;
  /** PHASES: the index of a phase of the fabric, which need not be solved; of all cloths, those that have it draw it.
   *  Default UINT32_MAX = each phase that the cloth solves. */
  uint32_t phase;
  /** Strain, length / rest length - 1, at which the colours are full, 1e-6 .. 1e6; default 0.1. */
  float full_strain;
  /** Length of normals, to which crosses and axes are in proportion, m, 0 .. 1e6. Default 0 = the mean rest length of
   *  the edges of each cloth. */
  float size;
  /** Time that velocities are drawn for, s, 0 .. 1e6; default 0.05. */
  float velocity_time;
} clothc_debug_desc;

/** A line, as a pair of vertices of 16 bytes each. */
typedef struct clothc_debug_line {
  /** Where the line begins in the world, m. */
  float first[3];
  /** Four bytes in memory: red, green, blue and alpha, which is 255. */
  uint32_t first_colour;
  /** Where it ends. */
  float second[3];
  /** Its colour there. */
  uint32_t second_colour;
} clothc_debug_line;

/** Draws cloths as lines, for development: positions are those after everything queued, frames and shapes are where the
 *  next update begins. The lines are in the order of the cloths and, for each of them, of the flags, and have the same
 *  bits on all devices with STRICT_PARITY. The call reads much from the device, works on the calling thread, and changes
 *  no state.
 *  lines: [*count], or NULL to ask for the count. count: in, the length of lines; out, the number of lines.
 *  Waits: for everything queued.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT, OUT_OF_MEMORY, DEVICE_LOST; INCOMPLETE. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_get_debug_lines(clothc_solver solver, const clothc_debug_desc* desc,
                                                                   clothc_debug_line* lines, uint32_t* count);

/** What a channel is. */
typedef struct clothc_channel_info {
  uint32_t struct_size;
  clothc_channel channel;
  clothc_format format;
  /** Bytes. */
  uint32_t element_size;
  /** 1 if clothc_solver_set accepts the channel. */
  uint32_t settable;
  /** 1 if clothc_solver_get accepts the channel. */
  uint32_t gettable;
  /** Number of elements in this solver; 0 if asked without a solver. */
  uint64_t count;
  char name[64];
} clothc_channel_info;

/** Describes a channel. solver: NULL to ask for what does not depend on a solver. Channels are numbered from 1 without
 *  gaps, so a binding can list them until INVALID_ARGUMENT.
 *  Errors: INVALID_HANDLE (not NULL and not a solver), INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_channel_describe(clothc_solver solver, clothc_channel channel,
                                                             clothc_channel_info* info);

/** The type of a parameter of a cloth. */
typedef uint32_t clothc_parameter_type;
enum {
  CLOTHC_PARAMETER_FLOAT = 1,
  /** Three floats. */
  CLOTHC_PARAMETER_FLOAT3 = 2,
  /** A uint32_t. */
  CLOTHC_PARAMETER_COUNT = 3,
  /** A uint32_t: one of a few enumerators. */
  CLOTHC_PARAMETER_CHOICE = 4,
  /** A uint32_t: bits that are set or not. */
  CLOTHC_PARAMETER_FLAGS = 5
};

/** What a parameter of a cloth is: a field of clothc_cloth_parameters. */
typedef struct clothc_parameter_info {
  uint32_t struct_size;
  clothc_parameter_type type;
  /** Bytes from the begin of clothc_cloth_parameters to the field. */
  uint32_t offset;
  uint32_t reserved;
  /** Least value, of each component. */
  double least;
  /** Greatest value, of each component; of FLAGS all bits that may be set. */
  double most;
  /** Default. Only FLOAT3 uses the second and third. */
  double initial[3];
  /** Name of the field, such as "gravity". */
  char name[64];
  /** Unit, such as "m/s2", or "none"; of CHOICE and FLAGS the prefix of the enumerators, such as "CLOTHC_SLEEP". */
  char unit[32];
} clothc_parameter_info;

/** Describes a parameter of cloths, so that bindings, editors and file formats need no list of their own. Parameters
 *  are numbered from 0 without gaps, in the order of clothc_cloth_parameters; list them until INVALID_ARGUMENT.
 *  Errors: INVALID_ARGUMENT (index), INVALID_STRUCT. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_parameter_describe(uint32_t index, clothc_parameter_info* info);

/** What a buffer is. */
typedef struct clothc_buffer_info {
  uint32_t struct_size;
  clothc_buffer_kind kind;
  clothc_format format;
  uint32_t stride;
  uint64_t count;
  /** Bytes: stride * count. */
  uint64_t size;
  /** 1 while the buffer is mapped. */
  uint32_t mapped;
  /** 1 while sets or gets that use the buffer have not ended. */
  uint32_t busy;
  /** The kind that was asked for. kind differs from it only where CLOTHC_BUFFER_HOST_IF_UNSUPPORTED took effect. */
  clothc_buffer_kind requested_kind;
  /** 0. */
  uint32_t reserved;
  /** If kind is not requested_kind, the message that the call would have failed with, which says what the device lacks.
   *  Otherwise empty. */
  char reason[256];
} clothc_buffer_info;

/** Says what a buffer is. Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_get_info(clothc_buffer buffer, clothc_buffer_info* info);

/** What a fabric holds, and what the cooker found in its mesh. */
typedef struct clothc_fabric_info {
  uint32_t struct_size;
  uint32_t particle_count;
  /** Number of vertices of the mesh; particle_count for raw fabrics. */
  uint32_t vertex_count;
  uint32_t phase_count;
  uint32_t set_count;
  /** Number of groups of constraints that share no particle. */
  uint32_t colour_count;
  uint64_t constraint_count;
  uint32_t tethers_per_particle;
  uint32_t triangle_count;
  /** Hash of everything that affects the simulation. */
  uint64_t content_hash;
  /** Number of vertices that were merged into an earlier one. */
  uint32_t welded_vertex_count;
  /** Number of degenerate triangles and quads that were left out. */
  uint32_t dropped_triangle_count;
  /** Index of the first one, counted through triangles and then quads, or UINT32_MAX. */
  uint32_t first_dropped_triangle;
  /** Number of edges with more than two faces. */
  uint32_t non_manifold_edge_count;
  /** Number of pieces that no edge connects with each other. */
  uint32_t component_count;
  /** Number of particles without any face. */
  uint32_t isolated_particle_count;
  /** The first one, or UINT32_MAX. */
  uint32_t first_isolated_particle;
  /** Number of particles with the inverse mass 0. */
  uint32_t pinned_particle_count;
  /** Number of free particles that are not connected with a pinned one. */
  uint32_t untethered_particle_count;
  uint32_t reserved;
  /** Number of diagnostics for clothc_fabric_get_diagnostic. */
  uint32_t diagnostic_count;
  /** Number of pairs of triangles that QUADIFY merged. */
  uint32_t merged_triangle_count;
  /** 1 if particles are stored in another order than the mesh's. */
  uint32_t reordered;
  uint32_t virtual_particle_count;
  /** Number of sets of constraints given by type. */
  uint32_t constraint_set_count;
  uint32_t reserved2;
} clothc_fabric_info;

/** Says what a fabric holds. Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_get_info(clothc_fabric fabric, clothc_fabric_info* info);

/** What a diagnostic of the cooker is about. Each comment says which element of the mesh it names and what was done. */
typedef uint32_t clothc_diagnostic_kind;
enum {
  /** A face of which two corners are the same particle. It was left out, or a quad became a triangle. */
  CLOTHC_DIAGNOSTIC_REPEATED_VERTEX = 1,
  /** A face whose corners lie on a line. It was left out. */
  CLOTHC_DIAGNOSTIC_FLAT_FACE = 2,
  /** A face, and the earlier one with the same particles. It was left out. */
  CLOTHC_DIAGNOSTIC_DUPLICATE_FACE = 3,
  /** An edge with more than two faces. It was kept, and nothing bends across it. */
  CLOTHC_DIAGNOSTIC_NON_MANIFOLD_EDGE = 4,
  /** An edge whose two faces wind in opposite ways. It was kept; normals disagree there. */
  CLOTHC_DIAGNOSTIC_FLIPPED_FACE = 5,
  /** A vertex without any face. It became a particle that nothing holds. */
  CLOTHC_DIAGNOSTIC_ISOLATED_VERTEX = 6,
  /** A vertex of a piece without a pinned particle, while other pieces have one. */
  CLOTHC_DIAGNOSTIC_UNPINNED_PIECE = 7,
  /** Two vertices so close together that they may be meant to be one. They were kept apart. */
  CLOTHC_DIAGNOSTIC_UNWELDED_VERTEX = 8,
  /** A vertex with so many edges that its constraints need many small colours. */
  CLOTHC_DIAGNOSTIC_MANY_EDGES = 9,
  /** An edge far shorter than most. It makes the cloth around it stiff. */
  CLOTHC_DIAGNOSTIC_SHORT_EDGE = 10,
  /** An edge so short for its distance from the origin that rounding distorts it. */
  CLOTHC_DIAGNOSTIC_LOW_PRECISION = 11,
  /** A vertex whose area gives a mass below 1e-9 kg. It got 1e-9 kg. */
  CLOTHC_DIAGNOSTIC_MASS_LIMITED = 12,
  /** A vertex of a second piece. Only pins and colliders hold pieces together. */
  CLOTHC_DIAGNOSTIC_PIECES = 13
};

/** One thing that the cooker found in a mesh. Of each kind the first 16 are kept, in the mesh's order. */
typedef struct clothc_diagnostic {
  uint32_t struct_size;
  clothc_diagnostic_kind kind;
  /** A vertex; or a face, counted through triangles and then quads; or the first vertex of an edge. */
  uint32_t first;
  /** The other vertex or face; UINT32_MAX if there is none. */
  uint32_t second;
  /** Number of diagnostics of this kind, including this one. */
  uint64_t count;
  /** A length in m, a number of edges or faces, or 0. */
  float value;
  /** 1 if the cloth may misbehave; 0 if this is only good to know. */
  uint32_t warning;
  /** A sentence that names the element and says what to do. */
  char message[256];
} clothc_diagnostic;

/** Reads one thing that the cooker found in the mesh, such as a face that it left out. index: below diagnostic_count.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (index), INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_get_diagnostic(clothc_fabric fabric, uint32_t index,
                                                                  clothc_diagnostic* diagnostic);

/* =============================================================================================== level 4: state */

/** Puts a cloth to rest as if it had just been added, after everything queued. Velocities, accelerations, motion and
 *  separation constraints, rest positions, phases of particles, the history of time steps and the frame's velocity are
 *  gone. Parameters, phases of constraints, collider sets, bindings and the frame's target stay.
 *  positions: [particle_count][4] as in clothc_cloth_desc; NULL = the fabric's, scaled. A group, which has no fabric,
 *  needs them; its springs and its active set stay.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (naming the particle, or NULL for a fabric without positions),
 *  OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_reset(clothc_solver solver, clothc_cloth_id cloth,
                                                        const float* positions);

/** Adds a copy of a cloth in its state after everything queued so far. Errors: as clothc_cloth_add. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_clone(clothc_solver solver, clothc_cloth_id source,
                                                        clothc_cloth_id* cloth);

/** Drops optional per-particle data of a cloth, after everything queued: ACCELERATION, MOTION_CONSTRAINT,
 *  SEPARATION_CONSTRAINT or REST_POSITION.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (another channel). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_clear(clothc_solver solver, clothc_cloth_id cloth,
                                                        clothc_channel channel);

/** Computes the 64-bit hash of all state that affects the next update, after everything queued. It is equal on all
 *  devices with STRICT_PARITY, whatever the schedule, workers, instruction set or capacities.
 *  Waits: for everything queued.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT, DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_state_hash(clothc_solver solver, uint64_t* hash);

/** Writes a snapshot of the solver after everything queued. The bytes are little-endian and the same on every backend.
 *  Fabrics are named by their content hash. Fences are not part of a snapshot.
 *  data: [*size] bytes, or NULL to ask for the size. size: in, the bytes at data; out, the bytes of the snapshot.
 *  Waits: for everything queued.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (size too small; nothing is written), OUT_OF_MEMORY, DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_snapshot(clothc_solver solver, void* data, uint64_t* size);

/** Replaces the solver's cloths and collider sets, including their ids, by those of a snapshot. What is added later gets
 *  the ids that it would have got in the original solver.
 *  data: [size] bytes. fabrics: [fabric_count] those that the snapshot's cloths use, found by content hash; others are
 *  ignored.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (a truncated, foreign, damaged or newer snapshot; a snapshot with values
 *  that no program could have set, where the message names cloth, particle and field; a missing fabric), CAPACITY,
 *  OUT_OF_MEMORY, DEVICE_LOST. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_restore(clothc_solver solver, const void* data, uint64_t size,
                                                           const clothc_fabric* fabrics, uint32_t fabric_count);

/** Writes a fabric as a blob that clothc_fabric_load reads on any machine: little-endian, versioned, with a checksum,
 *  and with arrays at multiples of 64 bytes. A file that is mapped into memory can be passed to load as it is.
 *  data: [*size] bytes, or NULL to ask for the size. size: in, the bytes at data; out, the bytes of the blob.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (size too small; nothing is written), OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_save(clothc_fabric fabric, void* data, uint64_t* size);

/** Makes a fabric from a blob, with the content hash of the fabric that was saved. data: [size] bytes, at any
 *  alignment.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (a truncated, foreign, damaged or newer blob), OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_load(clothc_device device, const void* data, uint64_t size,
                                                        clothc_fabric* fabric);

/** One cloth that clothc_solver_compact moved, in elements of the per-particle channels. */
typedef struct clothc_move {
  clothc_cloth_id cloth;
  uint32_t old_first;
  uint32_t new_first;
  uint32_t count;
} clothc_move;

/** Moves cloths, in order, so that all free particles form one range.
 *  moves: [*count] receives the cloths that moved. It may be NULL with *count 0 if the caller asks for all ranges anew.
 *  count: in, the length of moves; out, the number of cloths that moved.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT; INCOMPLETE if moves was too short (the cloths have moved all the same). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_solver_compact(clothc_solver solver, clothc_move* moves, uint32_t* count);

/* ========================================================================================== level 5: integration */

/* ------------------------------------------------------------------------------------------- choosing a device */

/** Capability flags of a device. */
enum {
  /** The device gives the same bits as every other device with this flag: the project lists it as proved (processors,
   *  CUDA, and the Vulkan drivers of docs/determinism.md), or it was verified (clothc_device_verify). A device that was
   *  verified and gives other bits loses the flag. */
  CLOTHC_CAPABILITY_STRICT_PARITY = 1 << 0,
  /** The device can run its work in the application's scheduler (submit callback). */
  CLOTHC_CAPABILITY_APPLICATION_TASKS = 1 << 1,
  /** The device supports CLOTHC_BUFFER_WRAPPED_HOST. */
  CLOTHC_CAPABILITY_WRAPPED_HOST = 1 << 2,
  /** The device supports EXPORTABLE and IMPORTED buffers, by file descriptor (CLOTHC_EXTERNAL_OPAQUE_FD). */
  CLOTHC_CAPABILITY_EXTERNAL_MEMORY_FD = 1 << 3,
  /** The device exports fences as timeline semaphores, by file descriptor. */
  CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_FD = 1 << 4,
  /** A GPU driver that runs on the processor. AUTO does not choose it. */
  CLOTHC_CAPABILITY_SOFTWARE_DEVICE = 1 << 5,
  /** The device supports CLOTHC_UPDATE_TIMERS. */
  CLOTHC_CAPABILITY_TIMERS = 1 << 6,
  /** The device imports fences that others have exported, by file descriptor. */
  CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE_FD = 1 << 7,
  /** The device supports CLOTHC_BUFFER_WRAPPED_DEVICE. */
  CLOTHC_CAPABILITY_WRAPPED_DEVICE = 1 << 8,
  /** The three capabilities ..._FD for NT handles (CLOTHC_EXTERNAL_OPAQUE_WIN32), which devices on Windows have in place
   *  of file descriptors. */
  CLOTHC_CAPABILITY_EXTERNAL_MEMORY_WIN32 = 1 << 9,
  CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_WIN32 = 1 << 10,
  CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE_WIN32 = 1 << 11
};

/** What a device is, or why it is absent. */
typedef struct clothc_device_info {
  uint32_t struct_size;
  clothc_backend backend;
  uint32_t device_index;
  /** 1 if clothc_device_create can make it. */
  uint32_t available;
  /** CLOTHC_CAPABILITY_... */
  uint32_t capabilities;
  /** CPU: the instruction set used. */
  clothc_isa isa;
  /** CPU: the number of threads used. */
  uint32_t worker_count;
  /** CPU: bit 1 << CLOTHC_ISA_x for each instruction set that this machine runs. */
  uint32_t isa_mask;
  /** Bytes of memory; 0 if unknown. */
  uint64_t memory_size;
  /** Zero where the backend has none. */
  uint8_t uuid[16];
  uint8_t luid[8];
  /** PCI domain, bus, device and function; zero where there is none. */
  uint32_t pci[4];
  /** Name of the processor or GPU. */
  char name[128];
  /** Why the device is absent. For a device made with AUTO: why it was chosen and others were not. */
  char reason[256];
} clothc_device_info;

/** Lists all backends and devices of this machine, absent ones included with their reason.
 *  infos: [*count], or NULL to ask for the count. infos[0].struct_size must be set and is the stride.
 *  count: in, the length of infos; out, the number of devices listed, or with NULL infos the number that exist.
 *  Errors: INVALID_ARGUMENT, INVALID_STRUCT; INCOMPLETE if infos was too short. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_enumerate(clothc_device_info* infos, uint32_t* count);

/** Says what a device is. Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_get_info(clothc_device device, clothc_device_info* info);

/* ---------------------------------------------------------------------------------------------------- preparation */

/** Begins to compile what updates need, in a thread of the library, and returns at once. A GPU's driver compiles a
 *  kernel when it is needed for the first time, which takes milliseconds to seconds, and without this call that is in
 *  the middle of a frame. A call of update, set or get that comes before the kernels which it needs are compiled
 *  compiles them itself. Devices that compile nothing, such as the CPU, have nothing to do.
 *  A driver that compiles when a kernel first runs, as Mesa's software driver does, gets work with nothing to do, by
 *  way of the device's queue; on devices that only record it still compiles at the first run. Destroying the device
 *  waits for the kernel that is being compiled.
 *  stages: bits 1 << CLOTHC_STAGE_...: the stages that updates will have, which follow from the features in use. Every
 *  update needs BEGIN, INTEGRATION, PHASES and END. Of PROGRAM, the programs that solve whole cloths, software devices
 *  need none unless solver_desc.schedule asks for CLOTH. What sets, gets, bound channels and the state hash need is
 *  always included. 0 = all that updates with CLOTHC_SCHEDULE_AUTO may need.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (stages), OUT_OF_MEMORY, DEVICE_LOST. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_prepare(clothc_device device, uint32_t stages);

/** Waits until everything that clothc_device_prepare began is compiled and what clothc_device_verify began has ended,
 *  at most timeout_ns nanoseconds; with 0 it only asks.
 *  done: receives how many kernels and programs are compiled, and how many verifications have ended; may be NULL.
 *  total: receives how many were asked for since the device was created; may be NULL.
 *  Waits: for the threads that compile and verify.
 *  Errors: INVALID_HANDLE; if something could not be compiled or verified, the failure of the driver, such as
 *  UNSUPPORTED, OUT_OF_MEMORY or DEVICE_LOST, until clothc_device_prepare or clothc_device_verify is called again;
 *  TIMEOUT. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_wait(clothc_device device, uint64_t timeout_ns, uint32_t* done,
                                                        uint32_t* total);

/** Saves what the driver has compiled on this device so far, and whether the device was verified, for
 *  clothc_device_load_cache or clothc_device_desc.cache in the program's next run. What is in it depends on the driver;
 *  where that has a cache of its own, and for devices that compile nothing, it may be next to nothing.
 *  data: [*size] bytes, or NULL to ask for the size. size: in, the length of data; out, the number of bytes.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (size is too small, as it can be once more has been compiled),
 *  OUT_OF_MEMORY. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_save_cache(clothc_device device, void* data, uint64_t* size);

/** Gives a cache of an earlier run to the driver, so that it need not compile again what is in it. Call it before
 *  clothc_device_prepare and before solvers run. If the device was verified then, it counts as verified now. A cache
 *  that is damaged or comes from another device, driver or version of this library is ignored: the call fails with a
 *  message that says why, and everything works without it.
 *  data: [size] bytes.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (null, damaged), UNSUPPORTED (from elsewhere), OUT_OF_MEMORY.
 *  Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_load_cache(clothc_device device, const void* data, uint64_t size);

/* --------------------------------------------------------------------------------------------------- verification */

/** Flags of clothc_device_verify. */
enum {
  /** Verify in a thread of the library, and return at once: clothc_device_wait waits for its end. */
  CLOTHC_VERIFY_IN_BACKGROUND = 1 << 0
};

/** Finds out whether a device gives the bits that all others give. It runs a built-in scene with every kind of
 *  constraint, shape and channel, and each kernel by itself from the same state on the device and with the scalar code
 *  of the processor, both launched alone and inside of the programs that solve whole cloths; then whole updates. All
 *  words that the kernels may change are compared. This takes a second or two on a GPU, and as long as the driver needs
 *  to compile all kernels. Solvers of the device can run meanwhile; their state is not touched.
 *  The verdict decides over CLOTHC_CAPABILITY_STRICT_PARITY, is told by clothc_device_get_verification, and is part of
 *  what clothc_device_save_cache saves. If a verification goes on already, no other one begins. Devices that only
 *  record (clothc_vulkan_device_create without a queue) cannot run anything by themselves: create one with
 *  clothc_device_create for the same GPU, verify it, and load its cache.
 *  flags: CLOTHC_VERIFY_...
 *  Waits: for the verification, unless flags has IN_BACKGROUND.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (flags), UNSUPPORTED (the device only records), OUT_OF_MEMORY, DEVICE_LOST.
 *  That bits differ is no error. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_verify(clothc_device device, uint32_t flags);

/** What is known of the bits that a device gives. */
typedef uint32_t clothc_verdict;
enum {
  /** Nothing: the project does not list the device, and it was not verified. */
  CLOTHC_VERDICT_UNKNOWN = 0,
  /** The project lists the device and its driver as proved; it was not verified here. */
  CLOTHC_VERDICT_LISTED = 1,
  /** It was verified, and all bits were equal. */
  CLOTHC_VERDICT_EQUAL = 2,
  /** It was verified, and some bits differ. */
  CLOTHC_VERDICT_DIFFERENT = 3
};

/** What verifying a device has found. */
typedef struct clothc_verification {
  uint32_t struct_size;
  /** CLOTHC_VERDICT_... */
  clothc_verdict verdict;
  /** 1 while a verification goes on. */
  uint32_t running;
  /** 1 if the verdict comes from a cache. Then there are no rows. */
  uint32_t cached;
  /** Number of rows, and of those with words that differ. */
  uint32_t row_count;
  uint32_t different_row_count;
  /** Number of words compared in all rows, and of those that differ. */
  uint64_t word_count;
  uint64_t different_word_count;
  /** Time that the verification took, compiling included. */
  uint64_t time_ns;
  /** Names the device and its driver, as far as results may depend on it. */
  char driver[256];
  /** DIFFERENT: what differs first, and what to do. Otherwise what the verdict rests on. */
  char message[512];
} clothc_verification;

/** How a kernel was run. */
typedef uint32_t clothc_verified_form;
enum {
  /** Launched alone, as a pass of an update. */
  CLOTHC_FORM_PASS = 1,
  /** By a program, which solves whole cloths: by the smaller one, if the device has two. */
  CLOTHC_FORM_PROGRAM = 2,
  /** By the larger one, which holds the kernels of both. */
  CLOTHC_FORM_EXTENDED_PROGRAM = 3,
  /** Not a kernel but an operation on tables: sort, scan or copy. */
  CLOTHC_FORM_OPERATION = 4,
  /** Whole updates of the scene, with all passes, programs and waits between them. */
  CLOTHC_FORM_UPDATE = 5
};

/** What verifying a kernel in one form has found. */
typedef struct clothc_verification_row {
  uint32_t struct_size;
  /** CLOTHC_FORM_... */
  clothc_verified_form form;
  /** Number of times that it was run and compared, and of those with words that differ. */
  uint32_t run_count;
  uint32_t different_run_count;
  /** Number of words compared, and of those that differ. */
  uint64_t word_count;
  uint64_t different_word_count;
  /** Name of the kernel or operation, or what was run. */
  char name[64];
  /** The array with the first word that differs: "particles", "records" or "tables", or "state hash"; else empty. */
  char array[16];
  /** Index of the word in the array, or number of the update. */
  uint64_t first_word;
  /** The bits of the word: those of the scalar code, and those of the device. */
  uint64_t expected;
  uint64_t found;
} clothc_verification_row;

/** Tells what is known of the bits that a device gives.
 *  verification: may be NULL. rows: [*count] receives the results by kernel, in the order of the update, or NULL to ask
 *  for the count. rows[0].struct_size must be set and is the stride. count: in, the length of rows; out, the number of
 *  rows written, or with NULL rows the number that exist; may be NULL if rows is.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT; INCOMPLETE if rows was too short. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_device_get_verification(clothc_device device,
                                                                    clothc_verification* verification,
                                                                    clothc_verification_row* rows, uint32_t* count);

/* -------------------------------------------------------------------------------------------------------- fences */

/** Creates a fence: a 64-bit value that only grows. Errors: INVALID_HANDLE, INVALID_ARGUMENT, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_create(clothc_device device, uint64_t value, clothc_fence* fence);

/** Destroys a fence. Updates that wait for it or will signal it keep it until they have. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_destroy(clothc_fence fence);

/** Raises the fence to value from the host. Errors: INVALID_HANDLE; INVALID_ARGUMENT (value is not above the present
 *  one, or the fence is a semaphore and value is not below the first one to which queued updates will raise it);
 *  INVALID_STATE (the fence is a semaphore that CUDA imported, and a queued update will raise it). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_signal(clothc_fence fence, uint64_t value);

/** Waits until the fence has reached value, at most timeout_ns nanoseconds; with 0 it only asks.
 *  Waits: for whoever raises the fence.
 *  Errors: INVALID_HANDLE, DEVICE_LOST (the work that would have raised the fence does not end), UNSUPPORTED (see
 *  clothc_fence_import); TIMEOUT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_wait(clothc_fence fence, uint64_t value, uint64_t timeout_ns);

/** Reads the fence's present value. Errors: INVALID_HANDLE, INVALID_ARGUMENT. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_get_value(clothc_fence fence, uint64_t* value);

/* ------------------------------------------------------------------------ memory shared with other APIs and devices */

/** A handle of the operating system through which devices, APIs and processes share memory or a timeline. Each system has
 *  one type; the other gives UNSUPPORTED. */
typedef uint32_t clothc_external_type;
enum {
  /** A POSIX file descriptor, which Vulkan and CUDA call OPAQUE_FD. */
  CLOTHC_EXTERNAL_OPAQUE_FD = 1,
  /** An NT handle of Windows, which Vulkan and CUDA call OPAQUE_WIN32. Handles of the kind KMT and named objects are not
   *  supported. */
  CLOTHC_EXTERNAL_OPAQUE_WIN32 = 2
};
struct clothc_external_handle {
  uint32_t struct_size;
  /** Default OPAQUE_FD; on Windows OPAQUE_WIN32. */
  clothc_external_type type;
  /** The file descriptor, or the NT handle as an integer; default -1, which is neither. What no device exports, such as
   *  a pipe, a socket, a folder, a terminal or an eventfd, is refused with INVALID_ARGUMENT before a driver reads it. */
  int64_t handle;
  /** Memory: bytes of the whole allocation. Fences: 0. */
  uint64_t size;
  /** Memory: byte of the allocation at which the buffer begins, a multiple of 256. Fences: 0. */
  uint64_t offset;
};

/** Exports the memory of an EXPORTABLE buffer, so that another device of this library, Vulkan or CUDA can import it.
 *  external: receives a new handle, which the caller closes or gives away, and what an importer must know.
 *  Lifetime: the memory exists as long as the buffer or an import of it. A reader must wait for the get first.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (null), INVALID_STRUCT, INVALID_STATE (another kind of buffer),
 *  OUT_OF_MEMORY. Source: Vulkan specification, VK_KHR_external_memory_fd and VK_KHR_external_memory_win32. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_buffer_export(clothc_buffer buffer, clothc_external_handle* external);

/** Exports a fence as a timeline semaphore, so that Vulkan, CUDA or another device of this library can import it.
 *  external: receives a new handle, which the caller closes or gives away. What this library signals reaches the
 *  semaphore on the device, without the host; what others signal on it reaches the fence. Nothing takes its place where
 *  a device cannot: wait for the fence on the host, and then let the other API go on.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (null), INVALID_STRUCT, OUT_OF_MEMORY, DEVICE_LOST; UNSUPPORTED where
 *  the device lacks EXTERNAL_SEMAPHORE_FD or, on Windows, EXTERNAL_SEMAPHORE_WIN32. Source: Vulkan specification,
 *  VK_KHR_external_semaphore_fd and VK_KHR_external_semaphore_win32. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_export(clothc_fence fence, clothc_external_handle* external);

/** Creates a fence from a timeline semaphore that another device, API or process has exported.
 *  external: the fence owns the handle if the call succeeds; if it fails, the caller still does. That is so for NT handles
 *  too, which Vulkan and CUDA themselves leave to the caller.
 *  A CUDA device cannot read a semaphore. There, the fence's value is the highest one that this library has signalled,
 *  or that an update which has ended has waited for, at first 0; clothc_fence_wait fails with UNSUPPORTED for a value
 *  that no queued update signals or waits for. Updates wait on the device, also in an adopted stream, and such a wait
 *  counts towards hang_timeout_ms. Meanwhile, calls that use a kernel for the first time or free memory may block
 *  until that wait ends, so let another thread, API or process end it. CUDA sets a semaphore to the value of a signal,
 *  even to a lower one: signal only values above those that others signal, with one fence per semaphore and device.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT, OUT_OF_MEMORY, DEVICE_LOST; UNSUPPORTED where the device
 *  lacks IMPORTED_SEMAPHORE_FD or, on Windows, IMPORTED_SEMAPHORE_WIN32, and for a type of another system. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fence_import(clothc_device device, const clothc_external_handle* external,
                                                         clothc_fence* fence);

/* ----------------------------------------------------------------------- channels bound to a renderer's buffers */

/** Binds a channel of a cloth to a buffer: the end of every following update writes one element per vertex of the mesh
 *  that the fabric was cooked from. Welded vertices get the same value, so that a mesh with split seams stays closed.
 *  channel: POSITION, PREVIOUS_POSITION, START_POSITION, VELOCITY, NORMAL or TANGENT; each has one binding per cloth.
 *  buffer: at least vertex_count elements; NULL ends the binding. view: as clothc_solver_get takes it, and with its
 *  flags; NULL = the buffer's own format and stride. In the world's coordinates velocities are those within the frame,
 *  turned: the frame's own velocity is not added.
 *  Lifetime: until it is ended or replaced, or the cloth or the buffer is destroyed. Compacting keeps it, restoring
 *  ends it, and a clone has none. The buffer is busy until the update has ended: map it to wait. While it is mapped,
 *  updates fail with INVALID_STATE.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT (channel, format, view, a buffer that is too short),
 *  OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cloth_bind(clothc_solver solver, clothc_cloth_id cloth,
                                                       clothc_channel channel, clothc_buffer buffer,
                                                       const clothc_view* view);

/* ============================================================================================= level 6: raw data */

/* ------------------------------------------------------------------------------------- fabrics given as arrays */

/** Flags of raw fabrics. */
enum {
  /** Store particles in a faster order if there is one. Results stay the same. */
  CLOTHC_FABRIC_REORDER = 1 << 0,
  /** Constraints and tethers have exact lengths, however short, as those of cooked fabrics have. Without this flag
   *  1.19e-7 m2 is added to the square of a length, as in NvCloth, which makes an edge of 1 mm too short by 6 %. */
  CLOTHC_FABRIC_EXACT_LENGTHS = 1 << 1
};

/** Types of constraints. Each one says what the particles and the parameters of a constraint are. Lengths are in m,
 *  0 .. 4e9; a constraint with a length of 0 is ignored. Stiffnesses and weights are 0 .. 1. */
typedef uint32_t clothc_constraint_type;
enum {
  /** Two particles; their distance at rest. */
  CLOTHC_CONSTRAINT_DISTANCE = 1,
  /** Two particles; their distance at rest, and a stiffness in place of that of the phase. */
  CLOTHC_CONSTRAINT_STIFF_DISTANCE = 2,
  /** Two particles; the greatest distance. They may come nearer to each other. */
  CLOTHC_CONSTRAINT_LONG_RANGE = 3,
  /** A particle and its anchor, which the constraint does not move; the greatest distance. It is solved with the
   *  tethers, so no phase can name its set. */
  CLOTHC_CONSTRAINT_TETHER = 4,
  /** Three particles; their weights, with a sum of 1 within 1e-3. A point of the cloth that collides; no phase can name
   *  its set. */
  CLOTHC_CONSTRAINT_VIRTUAL_PARTICLE = 5,
  /** Four particles: the ends of an edge, then the third corners of the two triangles 0 1 2 and 1 0 3 at it. The angle
   *  between the triangles at rest in rad, -pi .. pi: 0 where they are flat, positive where particle 3 is on the side
   *  to which the normal of 0 1 2 points. And a stiffness in place of that of the phase. Where the cloth solves no
   *  distances that hold the particles together, the angle comes to rest without a velocity, so that it adds no kinetic
   *  energy (docs/solver.md, "loose").
   *  Source: Bridson, Marino and Fedkiw 2003; Bergou et al. 2008; Mueller et al. 2007. */
  CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE = 6,
  /** Three particles; the area of their triangle at rest, m2, 0 .. 1.6e19, which grows with the square of the cloth's
   *  scale; and a stiffness in place of that of the phase. What is said of angles without distances holds for areas too.
   *  Source: Mueller et al. 2007. */
  CLOTHC_CONSTRAINT_TRIANGLE_AREA = 7
};

/** Constraints of one type. */
typedef struct clothc_constraint_set {
  uint32_t struct_size;
  /** CLOTHC_CONSTRAINT_... */
  clothc_constraint_type type;
  /** May be 0. At most 2^28 in all sets of a fabric. */
  uint64_t constraint_count;
  /** [constraint_count][particles of the type] different particles. */
  const uint32_t* particles;
  /** [constraint_count][parameters of the type]. */
  const float* parameters;
} clothc_constraint_set;

/** A fabric given as flat arrays, in the form that cookers and exporters of other engines produce. */
typedef struct clothc_fabric_desc {
  uint32_t struct_size;
  /** 1 .. 2^24. */
  uint32_t particle_count;
  /** May be 0. */
  uint32_t phase_count;
  /** May be 0. */
  uint32_t set_count;
  /** May be 0. */
  uint64_t constraint_count;
  /** [phase_count] the set of each phase: below set_count a set of pairs; set_count + k is constraint_sets[k]. */
  const uint32_t* phase_sets;
  /** [phase_count] CLOTHC_PHASE_...; NULL = OTHER. */
  const uint32_t* phase_types;
  /** [set_count] end of each set in the constraints: inclusive prefix sums; the last one is constraint_count. */
  const uint32_t* set_ends;
  /** [constraint_count][2] the two different particles of each constraint. */
  const uint32_t* indices;
  /** [constraint_count] m, 0 .. 4e9; a constraint with 0 is ignored. */
  const float* rest_lengths;
  /** [constraint_count] 0 .. 1, in place of the stiffness of the phases; or NULL. */
  const float* stiffness_values;
  /** 0 .. 1024. */
  uint32_t tethers_per_particle;
  /** May be 0. */
  uint32_t triangle_count;
  /** [tethers_per_particle][particle_count]. */
  const uint32_t* tether_anchors;
  /** [tethers_per_particle][particle_count] m, 0 .. 4e9. */
  const float* tether_lengths;
  /** [triangle_count][3] particles. */
  const uint32_t* triangles;
  /** [particle_count][4] x y z in m and inverse mass in 1/kg, for cloths that give none; or NULL. */
  const float* positions;
  /** CLOTHC_FABRIC_... Default 0. */
  uint32_t flags;
  /** Must be 0. */
  uint32_t reserved;
  /** [particle_count][2] u v, finite, |component| <= 1e9, for tangents; or NULL. */
  const float* texture_coordinates;
  /** Number of points of the cloth that collide in addition to its particles; 0 .. 2^24; default 0. */
  uint32_t virtual_particle_count;
  /** 0 .. 2^24; default 0. */
  uint32_t virtual_weight_count;
  /** [virtual_particle_count][4] three different particles and a row of virtual_weights. */
  const uint32_t* virtual_particles;
  /** [virtual_weight_count][3] weights of the three particles, each 0 .. 1, with a sum of 1 within 1e-3. */
  const float* virtual_weights;
  /** [constraint_set_count] sets of any type, in addition to the pairs, tethers and virtual particles above. The
   *  struct_size of the first one is the stride. */
  const clothc_constraint_set* constraint_sets;
  /** 0 .. 2^24; default 0. */
  uint32_t constraint_set_count;
  /** Must be 0. */
  uint32_t reserved2;
} clothc_fabric_desc;

/** Makes a fabric from flat arrays and keeps the order of the constraints. A set whose constraints share particles is
 *  split into consecutive independent groups, which gives the same result as solving the constraints in order.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT naming the element, OUT_OF_MEMORY. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_create(clothc_device device, const clothc_fabric_desc* desc,
                                                          clothc_fabric* fabric);

/** Arrays of a fabric that clothc_fabric_read copies. */
typedef uint32_t clothc_fabric_array;
enum {
  /** uint32 [vertex_count] the particle of each mesh vertex. */
  CLOTHC_FABRIC_VERTEX_MAP = 1,
  /** float [particle_count][4]; empty if the fabric has none. */
  CLOTHC_FABRIC_POSITIONS = 2,
  /** uint32 [phase_count]. */
  CLOTHC_FABRIC_PHASE_SETS = 3,
  /** uint32 [phase_count]. */
  CLOTHC_FABRIC_PHASE_TYPES = 4,
  /** uint32 [set_count]. */
  CLOTHC_FABRIC_SET_ENDS = 5,
  /** uint32 [constraint_count][2], in the order of the sets. */
  CLOTHC_FABRIC_INDICES = 6,
  /** float [constraint_count]. */
  CLOTHC_FABRIC_REST_LENGTHS = 7,
  /** float [constraint_count]; empty if the stiffness of the phases is used. */
  CLOTHC_FABRIC_STIFFNESS_VALUES = 8,
  /** uint32 [tethers_per_particle][particle_count]. */
  CLOTHC_FABRIC_TETHER_ANCHORS = 9,
  /** float [tethers_per_particle][particle_count]. */
  CLOTHC_FABRIC_TETHER_LENGTHS = 10,
  /** uint32 [triangle_count][3] particles. A quad gives two triangles. */
  CLOTHC_FABRIC_TRIANGLES = 11,
  /** uint32 [triangle_count][3] vertices of the mesh; empty without texture coordinates. */
  CLOTHC_FABRIC_TRIANGLE_VERTICES = 12,
  /** float [vertex_count][2]; empty if the fabric has none. */
  CLOTHC_FABRIC_TEXTURE_COORDINATES = 13,
  /** uint32 [virtual_particle_count][4] three particles and a row of weights. */
  CLOTHC_FABRIC_VIRTUAL_PARTICLES = 14,
  /** float [rows][3] weights of the three particles. */
  CLOTHC_FABRIC_VIRTUAL_WEIGHTS = 15,
  /** uint32 [constraint_set_count] clothc_constraint_type. */
  CLOTHC_FABRIC_CONSTRAINT_TYPES = 16,
  /** uint32 [constraint_set_count] number of constraints. */
  CLOTHC_FABRIC_CONSTRAINT_COUNTS = 17,
  /** uint32, the particles of all these sets, one set after the other. */
  CLOTHC_FABRIC_CONSTRAINT_PARTICLES = 18,
  /** float, the parameters of all these sets, one set after the other. */
  CLOTHC_FABRIC_CONSTRAINT_PARAMETERS = 19
};

/** Copies one array of a fabric.
 *  data: [*size] bytes, or NULL to ask for the size. size: in, the bytes at data; out, the bytes of the array.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (unknown array, or size too small; nothing is copied). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_fabric_read(clothc_fabric fabric, clothc_fabric_array array, void* data,
                                                        uint64_t* size);

/* ---------------------------------------------------------------------- collider meshes and signed distance fields */

/** A mesh to collide with, shared by any number of instances in any number of collider sets. */
typedef struct clothc_collider_mesh_desc {
  uint32_t struct_size;
  /** 1 .. 2^24. */
  uint32_t vertex_count;
  /** 1 .. 2^23. */
  uint32_t triangle_count;
  /** Must be 0. */
  uint32_t reserved;
  /** [vertex_count][3] m at scale 1, finite, |component| <= 1e9. */
  const float* vertices;
  /** [triangle_count][3] vertices, counter-clockwise seen from the side where the cloth is. A triangle without an area
   *  collides with nothing. NULL = 0 1 2, 3 4 5 .. */
  const uint32_t* triangles;
} clothc_collider_mesh_desc;

/** Makes a mesh for instances in collider sets. The library copies it, and the device builds its BVH once.
 *  An instance collides as triangles of the set do, moved and scaled as a whole. The triangle_reach of its set applies.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT naming the vertex or triangle, CAPACITY, OUT_OF_MEMORY.
 *  Source: Flex manual, "Triangle Meshes". */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_mesh_create(clothc_solver solver,
                                                                 const clothc_collider_mesh_desc* desc,
                                                                 clothc_collider_asset_id* asset);

/** A signed distance field: distances from a surface at the nodes of a grid, interpolated between the nodes. */
typedef struct clothc_sdf_desc {
  uint32_t struct_size;
  /** Number of nodes along x, y and z: each 2 .. 4096, at most 2^27 in all. */
  uint32_t counts[3];
  /** m at scale 1: where node 0 0 0 is; |component| <= 1e9. */
  float origin[3];
  /** m at scale 1 from one node to the next, 1e-6 .. 1e6. */
  float spacing;
  /** [counts[2]][counts[1]][counts[0]] m, below 0 inside; |value| <= 1e9. */
  const float* values;
} clothc_sdf_desc;

/** Makes a signed distance field for instances in collider sets. Its values are copied. Particles are kept out of it
 *  where its grid is. Outside the grid it has no effect, so the grid must contain the surface and the contact margin.
 *  Errors: INVALID_HANDLE, INVALID_STRUCT, INVALID_ARGUMENT naming the value, CAPACITY, OUT_OF_MEMORY.
 *  Source: Flex manual, "Signed Distance Fields". */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_sdf_create(clothc_solver solver, const clothc_sdf_desc* desc,
                                                                clothc_collider_asset_id* asset);

/** Destroys a collider mesh or signed distance field. Errors: INVALID_HANDLE, INVALID_STATE (a collider set uses
 *  it). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_collider_asset_destroy(clothc_solver solver,
                                                                   clothc_collider_asset_id asset);

/** A mesh to cook into a signed distance field. Its field has to be one that clothc_collider_sdf_create takes, so not all
 *  that is allowed here can be cooked: nodes are then 1e-6 .. 1e6 m apart, at most 2^27, and the first within 1e9 m. */
typedef struct clothc_sdf_cook_desc {
  uint32_t struct_size;
  /** 1 .. 2^24. */
  uint32_t vertex_count;
  /** 1 .. 2^23. */
  uint32_t triangle_count;
  /** Number of nodes along the longest side of the grid, 2 .. 1024; default 64. */
  uint32_t resolution;
  /** [vertex_count][3] m, finite, |component| <= 1e9. */
  const float* vertices;
  /** [triangle_count][3] vertices, winding either way; NULL = 0 1 2, 3 4 5 .. */
  const uint32_t* triangles;
  /** m from the mesh to the sides of the grid, 0 .. 1e9; default 0 = two cells. */
  float padding;
  /** Must be 0. */
  uint32_t reserved;
} clothc_sdf_cook_desc;

/** Computes the signed distance field of a mesh on the calling thread. A mesh that is not closed, overlaps itself or is
 *  wound unevenly has an inside too: the points whose generalised winding number is above one half.
 *  sdf: receives counts, origin and spacing of the grid, and the given pointer as its values.
 *  values: [counts[2]][counts[1]][counts[0]], or NULL to ask for the grid and the size.
 *  size: in, the bytes at values; out, the bytes of the values.
 *  Distances above 1e9 m are given as 1e9 m.
 *  Errors, also where only the size is asked for: INVALID_STRUCT, INVALID_ARGUMENT (naming the vertex or triangle; no
 *  triangle with three different corners; a field that no solver takes; size too small; nothing is written),
 *  OUT_OF_MEMORY. Threads: any.
 *  Source: Jacobson, Kavan and Sorkine-Hornung 2013 (winding numbers); Baerentzen and Aanaes 2005 (distances). */
CLOTHC_API clothc_result CLOTHC_CALL clothc_sdf_cook(const clothc_sdf_cook_desc* desc, clothc_sdf_desc* sdf,
                                                     float* values, uint64_t* size);

#ifdef __cplusplus
}
#endif
#endif
