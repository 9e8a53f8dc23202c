// scan_add.comp - the second half of a scan: adds word b of `sums` to each word of block b, which has 1024 words. The
// sums are those of scan_blocks.comp, which have been scanned before. A workgroup's block is gl_WorkGroupID.y * 65535 +
// gl_WorkGroupID.x.
#version 450
layout(local_size_x = 128) in;

layout(std430, set = 0, binding = 0) buffer Words { uint words[]; };
layout(std430, set = 0, binding = 1) readonly buffer Sums { uint sums[]; };
layout(push_constant) uniform Scan { uint word_count; };

void main() {
  uint block = gl_WorkGroupID.y * 65535u + gl_WorkGroupID.x;
  if ((word_count + 1023u) / 1024u <= block) return;
  for (uint k = gl_LocalInvocationID.x; k < 1024u; k += gl_WorkGroupSize.x) {
    uint index = block * 1024u + k;
    if (index < word_count) words[index] += sums[block];
  }
}
