// sort_scatter.comp - the last step of a pass of a stable radix sort: moves the elements of each block of 1024 to their
// new indices. counts are those of sort_count.comp after an exclusive scan. Each workgroup moves one block and each of
// its invocations eight successive elements, so that equal digits stay in order. A workgroup's block is
// gl_WorkGroupID.y * 65535 + gl_WorkGroupID.x.
#version 450
layout(local_size_x = 128) in;

layout(std430, set = 0, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, set = 0, binding = 1) readonly buffer Counts { uint counts[]; };
layout(std430, set = 0, binding = 2) readonly buffer Source { uint source[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Target { uint target[]; };
layout(push_constant) uniform Sort {
  uint count;
  uint shift;
  uint block_count;
};

const uint own_elements = 8u;
// [digit][invocation]: first the number of an invocation's elements with the digit, and later the index to which the
// next such element moves. Eight invocations together turn the counts of one digit into indices.
shared uint offsets[16u * gl_WorkGroupSize.x];
shared uint part_sums[gl_WorkGroupSize.x];

void main() {
  uint block = gl_WorkGroupID.y * 65535u + gl_WorkGroupID.x;
  uint lane = gl_LocalInvocationID.x;
  if (block_count <= block) return;
  uint begin = block * 1024u + lane * own_elements;
  for (uint digit = 0u; digit < 16u; ++digit) offsets[digit * gl_WorkGroupSize.x + lane] = 0u;
  for (uint k = begin; k < begin + own_elements; ++k) {
    if (k < count) ++offsets[(keys[k] >> shift & 15u) * gl_WorkGroupSize.x + lane];
  }
  barrier();

  uint sum = 0u;
  for (uint k = lane * 16u; k < lane * 16u + 16u; ++k) sum += offsets[k];
  part_sums[lane] = sum;
  barrier();
  uint digit = lane / 8u;
  uint offset = counts[digit * block_count + block];
  for (uint part = digit * 8u; part < lane; ++part) offset += part_sums[part];
  for (uint k = lane * 16u; k < lane * 16u + 16u; ++k) {
    uint digit_count = offsets[k];
    offsets[k] = offset;
    offset += digit_count;
  }
  barrier();

  for (uint k = begin; k < begin + own_elements; ++k) {
    if (k < count) target[offsets[(keys[k] >> shift & 15u) * gl_WorkGroupSize.x + lane]++] = source[k];
  }
}
