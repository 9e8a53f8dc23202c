/* sharing.c - imports file descriptors that clothc exports. Vulkan and OpenGL give a GPU the same
 * UUID, so a program can find out whether both use the same one. Memory of another GPU cannot be
 * imported, which drivers need not notice. */
#include "sharing.h"

#include <GLFW/glfw3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cloth.h"

/* GL_NV_timeline_semaphore, which libepoxy 1.5 does not know. Clothc's fences are timelines, which
 * GL_EXT_semaphore alone, with its semaphores of two states, cannot import. */
enum {
  TIMELINE_SEMAPHORE_VALUE = 0x9595,
  SEMAPHORE_TYPE = 0x95B3,
  SEMAPHORE_TYPE_TIMELINE = 0x95B5
};
typedef void(APIENTRY* CreateSemaphores)(GLsizei count, GLuint* semaphores);
typedef void(APIENTRY* SemaphoreParameter)(GLuint semaphore, GLenum name, const GLint* values);

/* Makes the next error be one of the calls that follow. */
static void forget_errors(void) {
  while (glGetError() != GL_NO_ERROR) continue;
}

/* -------------------------------------------------------------------------------------- devices */

static bool is_device_of_opengl(const clothc_device_info* info) {
  GLint count = 0;
  glGetIntegerv(GL_NUM_DEVICE_UUIDS_EXT, &count);
  for (GLint index = 0; index < count; index++) {
    GLubyte uuid[GL_UUID_SIZE_EXT] = {0};
    glGetUnsignedBytei_vEXT(GL_DEVICE_UUID_EXT, (GLuint)index, uuid);
    if (memcmp(uuid, info->uuid, sizeof info->uuid) == 0) return true;
  }
  return false;
}

bool find_device_of_opengl(clothc_device_desc* desc) {
  enum { CAPACITY = 16 };
  clothc_device_info infos[CAPACITY];
  uint32_t count = CAPACITY;
  if (!epoxy_has_gl_extension("GL_EXT_memory_object")) return false;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_INFO, &infos[0], sizeof infos[0]));
  if (clothc_device_enumerate(infos, &count) < 0) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!infos[i].available || infos[i].backend != CLOTHC_BACKEND_VULKAN) continue;
    if (!is_device_of_opengl(&infos[i])) continue;
    desc->backend = CLOTHC_BACKEND_VULKAN;
    memcpy(desc->uuid, infos[i].uuid, sizeof desc->uuid);
    return true;
  }
  return false;
}

/* --------------------------------------------------------------------------------------- memory */

/* Returns whether OpenGL reads what clothc writes. Leaves zeros, as they are in a new buffer. */
static bool is_same_memory(clothc_buffer exportable, const SharedBuffer* shared) {
  const uint32_t zeros[2] = {0, 0}, written[2] = {0x636c6f74, 0x68632121};
  uint32_t read[2] = {1, 1};
  check(clothc_buffer_write(exportable, 0, sizeof written, written));
  glGetNamedBufferSubData(shared->buffer, shared->offset, sizeof read, read);
  check(clothc_buffer_write(exportable, 0, sizeof zeros, zeros));
  return memcmp(read, written, sizeof read) == 0;
}

const char* share_buffer(clothc_buffer exportable, uint64_t size, SharedBuffer* shared) {
  if (!epoxy_has_gl_extension("GL_EXT_memory_object_fd"))
    return "OpenGL's driver has no GL_EXT_memory_object_fd";
  clothc_external_handle external;
  check(clothc_struct_init(CLOTHC_STRUCT_EXTERNAL_HANDLE, &external, sizeof external));
  check(clothc_buffer_export(exportable, &external));

  forget_errors();
  glCreateMemoryObjectsEXT(1, &shared->memory);
  glImportMemoryFdEXT(shared->memory, external.size, GL_HANDLE_TYPE_OPAQUE_FD_EXT,
                      (GLint)external.handle);
  if (glGetError() != GL_NO_ERROR) {
    /* The descriptor is OpenGL's only if the import has succeeded. */
    close((int)external.handle);
    glDeleteMemoryObjectsEXT(1, &shared->memory);
    return "OpenGL does not import the memory";
  }
  /* OpenGL's buffer begins with the allocation, because Mesa 22.3 ignores another offset. */
  glCreateBuffers(1, &shared->buffer);
  glNamedBufferStorageMemEXT(shared->buffer, (GLsizeiptr)(external.offset + size), shared->memory,
                             0);
  shared->offset = (GLintptr)external.offset;
  const bool is_made = glGetError() == GL_NO_ERROR;
  if (is_made && is_same_memory(exportable, shared)) return NULL;
  destroy_shared_buffer(shared);
  return is_made ? "OpenGL reads from the memory something else than clothc has written there"
                 : "OpenGL makes no buffer of the memory";
}

void destroy_shared_buffer(SharedBuffer* shared) {
  glDeleteBuffers(1, &shared->buffer);
  glDeleteMemoryObjectsEXT(1, &shared->memory);
}

/* ------------------------------------------------------------------------------------ timelines */

const char* reason_against_timelines(clothc_device device) {
  clothc_device_info info;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_INFO, &info, sizeof info));
  check(clothc_device_get_info(device, &info));
  if (!(info.capabilities & CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_FD))
    return "the device lacks CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_FD";
  if (!epoxy_has_gl_extension("GL_EXT_semaphore_fd"))
    return "OpenGL's driver has no GL_EXT_semaphore_fd";
  if (!epoxy_has_gl_extension("GL_NV_timeline_semaphore"))
    return "OpenGL's driver has no GL_NV_timeline_semaphore";
  return NULL;
}

GLuint share_timeline(clothc_fence fence) {
  const CreateSemaphores create_semaphores =
      (CreateSemaphores)glfwGetProcAddress("glCreateSemaphoresNV");
  const SemaphoreParameter set_parameter =
      (SemaphoreParameter)glfwGetProcAddress("glSemaphoreParameterivNV");
  const GLint type = SEMAPHORE_TYPE_TIMELINE;
  clothc_external_handle external;
  check(clothc_struct_init(CLOTHC_STRUCT_EXTERNAL_HANDLE, &external, sizeof external));
  check(clothc_fence_export(fence, &external));
  GLuint semaphore = 0;
  forget_errors();
  create_semaphores(1, &semaphore);
  set_parameter(semaphore, SEMAPHORE_TYPE, &type);
  glImportSemaphoreFdEXT(semaphore, GL_HANDLE_TYPE_OPAQUE_FD_EXT, (GLint)external.handle);
  if (glGetError() == GL_NO_ERROR) return semaphore;
  close((int)external.handle);
  glDeleteSemaphoresEXT(1, &semaphore);
  return 0;
}

void await_timeline(GLuint semaphore, uint64_t value, GLuint buffer) {
  const GLuint64 wanted = value;
  glSemaphoreParameterui64vEXT(semaphore, TIMELINE_SEMAPHORE_VALUE, &wanted);
  glWaitSemaphoreEXT(semaphore, 1, &buffer, 0, NULL, NULL);
}

void raise_timeline(GLuint semaphore, uint64_t value, GLuint buffer) {
  const GLuint64 reached = value;
  glSemaphoreParameterui64vEXT(semaphore, TIMELINE_SEMAPHORE_VALUE, &reached);
  glSignalSemaphoreEXT(semaphore, 1, &buffer, 0, NULL, NULL);
  /* Otherwise the update that waits for it could wait for commands that OpenGL has not yet sent. */
  glFlush();
}
