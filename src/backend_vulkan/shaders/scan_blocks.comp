// scan_blocks.comp - replaces each block of 1024 words by its exclusive scan modulo 2^32, and writes the block's sum to
// `sums`. Each workgroup scans one block, and each of its invocations handles eight words. A workgroup's block is
// gl_WorkGroupID.y * 65535 + gl_WorkGroupID.x.
#version 450
layout(local_size_x = 128) in;

layout(std430, set = 0, binding = 0) buffer Words { uint words[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Sums { uint sums[]; };
layout(push_constant) uniform Scan { uint word_count; };

const uint own_words = 8u;
// In the end, the sums of all words up to and including those of an invocation.
shared uint partial[gl_WorkGroupSize.x];

void main() {
  uint block = gl_WorkGroupID.y * 65535u + gl_WorkGroupID.x;
  uint lane = gl_LocalInvocationID.x;
  if ((word_count + 1023u) / 1024u <= block) return;
  uint first = block * 1024u + lane * own_words;
  uint own[own_words];
  uint sum = 0u;
  for (uint k = 0u; k < own_words; ++k) {
    own[k] = first + k < word_count ? words[first + k] : 0u;
    sum += own[k];
  }
  partial[lane] = sum;
  barrier();
  for (uint reach = 1u; reach < gl_WorkGroupSize.x; reach *= 2u) {
    uint before = reach <= lane ? partial[lane - reach] : 0u;
    barrier();
    partial[lane] += before;
    barrier();
  }
  if (lane == gl_WorkGroupSize.x - 1u) sums[block] = partial[lane];
  uint running = partial[lane] - sum;
  for (uint k = 0u; k < own_words; ++k) {
    if (first + k < word_count) words[first + k] = running;
    running += own[k];
  }
}
