/* sharing.h - what OpenGL and a Vulkan device of clothc share, each by a file descriptor: memory by
 * GL_EXT_memory_object_fd, and timelines by GL_EXT_semaphore_fd with GL_NV_timeline_semaphore. */
#ifndef SHARING_H
#define SHARING_H

#include <clothc.h>
#include <epoxy/gl.h>
#include <stdbool.h>

/* Memory of a clothc buffer, as a buffer of OpenGL. */
typedef struct SharedBuffer {
  GLuint memory, buffer;
  /* Where the elements begin in the buffer of OpenGL. */
  GLintptr offset;
} SharedBuffer;

/* Describes the Vulkan device on which OpenGL runs. Returns false if there is none, or if OpenGL's
 * driver does not tell its device. */
bool find_device_of_opengl(clothc_device_desc* desc);

/* Makes a buffer of OpenGL of the first size bytes of an EXPORTABLE buffer. Returns NULL, or why
 * that failed. The buffer should have at least SPARE_SIZE bytes more, because Mesa's software
 * driver makes no buffers that end where the memory ends. */
enum { SPARE_SIZE = 48 };
const char* share_buffer(clothc_buffer exportable, uint64_t size, SharedBuffer* shared);
void destroy_shared_buffer(SharedBuffer* shared);

/* Returns NULL if OpenGL can share the timelines of the device's fences, or why it cannot. */
const char* reason_against_timelines(clothc_device device);

/* Makes a semaphore of OpenGL of a fence's timeline. Returns 0 if OpenGL does not import it. */
GLuint share_timeline(clothc_fence fence);

/* Makes OpenGL wait until the timeline has reached the value before it reads the buffer. */
void await_timeline(GLuint semaphore, uint64_t value, GLuint buffer);

/* Makes OpenGL raise the timeline to the value when it has done what it was asked so far. */
void raise_timeline(GLuint semaphore, uint64_t value, GLuint buffer);

#endif
