// vertex.glsl - what the vertex shaders of meshes and lines share.

// Returns where a point of the world is in clip space, drawn nearer by `lead` metres. On the ground cloth is drawn nearer
// by a small part of its distance besides.
vec4 clip_position(vec3 world, float lead) {
  vec4 clip = view.to_clip * vec4(world, 1);
  if (lead > 0 && clip.w > 2 * lead) clip.z *= 1.002 * clip.w / (clip.w - lead);
  return clip;
}
