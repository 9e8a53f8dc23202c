// stream_test.cpp - the CPU stream: commands in order, marks, waits for timelines, sort and scan, the end of a stream.
