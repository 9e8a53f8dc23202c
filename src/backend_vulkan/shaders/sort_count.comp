// sort_count.comp - the first step of a pass of a stable radix sort: counts the 4-bit digits of each block of 1024
// keys. The count of a digit is counts[digit * block_count + block], so that the exclusive scan of the counts gives the
// indices to which the elements with that digit in that block move. A workgroup's block is gl_WorkGroupID.y * 65535 +
// gl_WorkGroupID.x.
#version 450
layout(local_size_x = 128) in;

layout(std430, set = 0, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Counts { uint counts[]; };
layout(push_constant) uniform Sort {
  uint count;
  uint shift;
  uint block_count;
};

shared uint digit_counts[16];

void main() {
  uint block = gl_WorkGroupID.y * 65535u + gl_WorkGroupID.x;
  uint lane = gl_LocalInvocationID.x;
  if (block_count <= block) return;
  if (lane < 16u) digit_counts[lane] = 0u;
  barrier();
  for (uint k = lane; k < 1024u; k += gl_WorkGroupSize.x) {
    uint index = block * 1024u + k;
    if (index < count) atomicAdd(digit_counts[keys[index] >> shift & 15u], 1u);
  }
  barrier();
  if (lane < 16u) counts[lane * block_count + block] = digit_counts[lane];
}
