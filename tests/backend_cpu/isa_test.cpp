// isa_test.cpp - instruction sets and their kernel tables, and the backend's memory.
