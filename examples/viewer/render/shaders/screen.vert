// screen.vert - a triangle that covers the picture, farther than anything else.
#version 450

void main() { gl_Position = vec4(4.0 * (gl_VertexIndex % 2) - 1, 4.0 * (gl_VertexIndex / 2) - 1, 0, 1); }
