// table_operations.kernel.h - a stable radix sort with digits of 4 bits, scans and copies of words of the tables, for
// GPUs: in the kernels' dialect, with memory that the threads of a group share. A group of table_group_threads threads
// works on a block of table_block_words words; table_launches.h tells which launches make up an operation. All of it is
// integer arithmetic, so every correct implementation gives the same bits.
// Source: Merrill and Grimshaw 2010, Revisiting Sorting for GPGPU Stream Architectures (count, scan, scatter).

#define TABLE_WORDS_PER_THREAD (table_block_words / table_group_threads)

// In the end, the sums of all words up to and including those of a thread.
SHARED_WORDS(thread_sums, table_group_threads)

// Replaces each block of the words `first` by its exclusive scan modulo 2^32, and writes its sum to `second`.
GROUP_KERNEL(scan_blocks) {
  if (int(OPERATION(blocks)) <= block) return;
  uint begin = uint(block) * table_block_words + uint(thread) * TABLE_WORDS_PER_THREAD;
  uint own[TABLE_WORDS_PER_THREAD];
  uint sum = 0u;
  for (uint k = 0u; k < TABLE_WORDS_PER_THREAD; ++k) {
    own[k] = begin + k < OPERATION(count) ? TABLE_WORD(OPERATION(first) + begin + k) : 0u;
    sum += own[k];
  }
  thread_sums[thread] = sum;
  GROUP_BARRIER
  for (int reach = 1; reach < int(table_group_threads); reach *= 2) {
    uint before = reach <= thread ? thread_sums[thread - reach] : 0u;
    GROUP_BARRIER
    thread_sums[thread] += before;
    GROUP_BARRIER
  }
  if (thread == int(table_group_threads) - 1) TABLE_WORD(OPERATION(second) + uint(block)) = thread_sums[thread];
  uint running = thread_sums[thread] - sum;
  for (uint k = 0u; k < TABLE_WORDS_PER_THREAD; ++k) {
    if (begin + k < OPERATION(count)) TABLE_WORD(OPERATION(first) + begin + k) = running;
    running += own[k];
  }
}

// Adds to each word of a block the sum of all blocks before it, which `second` has after a scan of its own.
GROUP_KERNEL(scan_add) {
  if (int(OPERATION(blocks)) <= block) return;
  for (uint k = uint(thread); k < table_block_words; k += table_group_threads) {
    uint index = uint(block) * table_block_words + k;
    if (index < OPERATION(count)) TABLE_WORD(OPERATION(first) + index) += TABLE_WORD(OPERATION(second) + uint(block));
  }
}

SHARED_WORDS(digit_counts, 16)

// Counts the digits of each block of the keys `first`. The count of a digit goes to counts[digit * blocks + block], so
// that the exclusive scan of the counts gives the indices to which the elements with that digit in that block move.
GROUP_KERNEL(sort_count) {
  if (int(OPERATION(blocks)) <= block) return;
  if (thread < 16) digit_counts[thread] = 0u;
  GROUP_BARRIER
  for (uint k = uint(thread); k < table_block_words; k += table_group_threads) {
    uint index = uint(block) * table_block_words + k;
    if (index < OPERATION(count))
      SHARED_ADD(digit_counts[TABLE_WORD(OPERATION(first) + index) >> (OPERATION(shift) & 31u) & 15u], 1u);
  }
  GROUP_BARRIER
  if (thread < 16)
    TABLE_WORD(OPERATION(counts) + uint(thread) * OPERATION(blocks) + uint(block)) = digit_counts[thread];
}

// [digit][thread]: first the number of a thread's elements with the digit, and later the index to which the next such
// element moves. Eight threads together turn the counts of one digit into indices.
SHARED_WORDS(digit_offsets, 16 * table_group_threads)

// Moves the keys `first` and the words `second` of each block to their new indices in `first_target` and
// `second_target`. Each thread moves successive elements, so that equal digits stay in order.
GROUP_KERNEL(sort_scatter) {
  if (int(OPERATION(blocks)) <= block) return;
  uint begin = uint(block) * table_block_words + uint(thread) * TABLE_WORDS_PER_THREAD;
  uint end = begin + TABLE_WORDS_PER_THREAD;
  if (OPERATION(count) < end) end = OPERATION(count);
  for (int digit = 0; digit < 16; ++digit) digit_offsets[digit * int(table_group_threads) + thread] = 0u;
  for (uint k = begin; k < end; ++k) {
    uint digit = TABLE_WORD(OPERATION(first) + k) >> (OPERATION(shift) & 31u) & 15u;
    ++digit_offsets[digit * table_group_threads + uint(thread)];
  }
  GROUP_BARRIER

  uint sum = 0u;
  for (int k = thread * 16; k < thread * 16 + 16; ++k) sum += digit_offsets[k];
  thread_sums[thread] = sum;
  GROUP_BARRIER
  int digit_of_thread = thread / 8;
  uint offset = TABLE_WORD(OPERATION(counts) + uint(digit_of_thread) * OPERATION(blocks) + uint(block));
  for (int part = digit_of_thread * 8; part < thread; ++part) offset += thread_sums[part];
  for (int k = thread * 16; k < thread * 16 + 16; ++k) {
    uint digit_count = digit_offsets[k];
    digit_offsets[k] = offset;
    offset += digit_count;
  }
  GROUP_BARRIER

  for (uint k = begin; k < end; ++k) {
    uint key = TABLE_WORD(OPERATION(first) + k);
    uint target = digit_offsets[(key >> (OPERATION(shift) & 31u) & 15u) * table_group_threads + uint(thread)]++;
    TABLE_WORD(OPERATION(first_target) + target) = key;
    TABLE_WORD(OPERATION(second_target) + target) = TABLE_WORD(OPERATION(second) + k);
  }
}

GROUP_KERNEL(copy_words) {
  if (int(OPERATION(blocks)) <= block) return;
  for (uint k = uint(thread); k < table_block_words; k += table_group_threads) {
    uint index = uint(block) * table_block_words + k;
    if (index < OPERATION(count)) TABLE_WORD(OPERATION(second) + index) = TABLE_WORD(OPERATION(first) + index);
  }
}
