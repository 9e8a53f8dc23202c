/* main.c - a sheet in the wind, drawn with OpenGL 4.5 in a window of GLFW. If OpenGL and the
 * library run on the same GPU, and the driver can, updates write the vertices that OpenGL draws.
 * Otherwise the vertices are copied through the host. The program prints which it is.
 *
 * Usage: opengl [--copy] [--frames N] [--picture FILE]
 *   --copy          copy, even where sharing is possible
 *   --frames N      end after N frames; default 120 with --picture, else when the window closes
 *   --picture FILE  show no window, and write the last frame as a PNG file
 * Build: cc examples/opengl/[a-z]*.c $(pkg-config --cflags --libs clothc glfw3 epoxy) -lm */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cloth.h"
#include "drawing.h"
#include "sharing.h"
#include "vertices.h"

#include <GLFW/glfw3.h>

typedef struct Options {
  bool wants_copy;
  uint64_t frame_count;
  const char* picture;
} Options;

static Options read_options(int count, char** arguments) {
  Options options = {false, 0, NULL};
  for (int i = 1; i < count; i++) {
    const bool has_value = i + 1 < count;
    if (strcmp(arguments[i], "--copy") == 0) {
      options.wants_copy = true;
    } else if (strcmp(arguments[i], "--frames") == 0 && has_value && atoi(arguments[i + 1]) > 0) {
      options.frame_count = (uint64_t)atoi(arguments[++i]);
    } else if (strcmp(arguments[i], "--picture") == 0 && has_value) {
      options.picture = arguments[++i];
    } else {
      fprintf(stderr, "wrong option %s; usage: opengl [--copy] [--frames N] [--picture FILE]\n",
              arguments[i]);
      exit(2);
    }
  }
  if (options.frame_count == 0) options.frame_count = options.picture != NULL ? 120 : UINT64_MAX;
  return options;
}

static GLFWwindow* open_window(bool is_visible) {
  const char* message = "";
  GLFWwindow* window = NULL;
  if (glfwInit()) {
    glfwWindowHint(GLFW_VISIBLE, is_visible);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    window = glfwCreateWindow(960, 600, "clothc with OpenGL", NULL, NULL);
  }
  if (window == NULL) {
    glfwGetError(&message);
    fprintf(stderr, "no window with OpenGL 4.5 can be opened: %s\n", message);
    exit(EXIT_FAILURE);
  }
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  return window;
}

/* Makes a device on the GPU of OpenGL, or else the best one. Returns whether it is that GPU. */
static bool make_device(clothc_device* device) {
  clothc_device_desc desc;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_DESC, &desc, sizeof desc));
  const bool is_of_opengl = find_device_of_opengl(&desc);
  check(clothc_device_create(&desc, device));
  clothc_device_info info;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_INFO, &info, sizeof info));
  check(clothc_device_get_info(*device, &info));
  printf("OpenGL: %s, %s\n", (const char*)glGetString(GL_RENDERER),
         (const char*)glGetString(GL_VERSION));
  printf("clothc: %s\n", info.name);
  return is_of_opengl;
}

int main(int argument_count, char** arguments) {
  const Options options = read_options(argument_count, arguments);
  GLFWwindow* window = open_window(options.picture == NULL);
  clothc_device device;
  const char* reason =
      make_device(&device) ? NULL : "no Vulkan device of the library has the UUID of OpenGL's";
  if (options.wants_copy) reason = "--copy asks for it";
  Vertices vertices;
  Drawing drawing;
  make_vertices(&vertices, device, make_cloth(device), reason);
  make_drawing(&drawing, options.picture != NULL);
  print_way(&vertices);

  /* While OpenGL draws a frame, the library simulates the next one. */
  simulate_frame(&vertices, 1);
  for (uint64_t frame = 1; frame <= options.frame_count && !glfwWindowShouldClose(window);
       frame++) {
    int width = PICTURE_WIDTH, height = PICTURE_HEIGHT;
    if (frame < options.frame_count) simulate_frame(&vertices, frame + 1);
    if (options.picture == NULL) glfwGetFramebufferSize(window, &width, &height);
    draw_cloth(&drawing, begin_drawing(&vertices, frame), width, height);
    end_drawing(&vertices, frame);
    if (options.picture == NULL) glfwSwapBuffers(window);
    glfwPollEvents();
  }

  int status = EXIT_SUCCESS;
  if (options.picture != NULL && !write_picture(&drawing, options.picture)) {
    fprintf(stderr, "%s cannot be written\n", options.picture);
    status = EXIT_FAILURE;
  }
  destroy_drawing(&drawing);
  destroy_vertices(&vertices);
  check(clothc_device_destroy(device));
  glfwTerminate();
  return status;
}
