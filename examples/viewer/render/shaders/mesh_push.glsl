// mesh_push.glsl - the constants of a mesh, as MeshPush of pipelines.h has them.

layout(push_constant, std430) uniform Mesh {
  mat4 transform;

  // w of front: how much nearer the mesh is drawn, m; w of back: its surface, see surface.glsl.
  vec4 front, back;
}
mesh;
