// vertex.glsl - what the vertex shaders of meshes and lines share.

// Returns where a point of the world is in clip space, drawn nearer by `lead` metres.
vec4 clip_position(vec3 world, float lead) {
  vec4 clip = view.to_clip * vec4(world, 1);
  if (clip.w > 0) clip.z = led_depth(clip.z / clip.w, lead) * clip.w;
  return clip;
}
