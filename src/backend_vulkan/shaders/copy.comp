// copy.comp - copies elements of element_words words between strided arrays. Each invocation copies one word. A source
// stride of zero fills the target with a single element.
#version 450
layout(local_size_x = 128) in;

layout(std430, set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Target { uint target[]; };
layout(push_constant) uniform Copy {
  // All values are in words.
  uint source_first;
  uint source_stride;
  uint target_first;
  uint target_stride;
  uint element_words;
  uint word_count;
};

void main() {
  uint k = gl_GlobalInvocationID.x;
  if (word_count <= k) return;
  uint element = k / element_words;
  uint word = k - element * element_words;
  target[target_first + element * target_stride + word] = source[source_first + element * source_stride + word];
}
