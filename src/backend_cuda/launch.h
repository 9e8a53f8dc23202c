// launch.h - the parameters of the entries in the folder entries/, for C++ and for CUDA. Include types.h first, in the
// same namespace, and define CLOTHC_ADDRESS(type): an address in device memory, 8 bytes wide.

// Number of padding particles in front of those of a group.
const uint program_padding = 16u;

// What an entry accesses, apart from its jobs.
struct LaunchArenas {
  CLOTHC_ADDRESS(real4) particles;
  CLOTHC_ADDRESS(const uint) topology;
  CLOTHC_ADDRESS(uint) tables;
  CLOTHC_ADDRESS(GroupRecord) records;
};

// Parameters of the entries of kernels and of programs.
struct KernelLaunch {
  LaunchArenas arenas;
  // The words of all programs and jobs of a schedule: schedule_words.h says which.
  CLOTHC_ADDRESS(const uint) words;
  FrameConstants frame;
  // Index of the first job or program in the words, in units of four, and number of jobs or programs.
  uint first_job;
  uint job_count;
  // 1 if jobs are skipped where the predicate of their group is 0.
  uint repeated;
  // Fills a multiple of 8 bytes.
  uint unused;
};

// Parameters of the entries that work on words of the tables.
struct TableOperationLaunch {
  CLOTHC_ADDRESS(uint) tables;
  TableLaunch operation;
};

// Parameters of the entry that copies elements of element_words words between strided arrays. A source stride of 0
// fills the target with a single element.
struct CopyLaunch {
  CLOTHC_ADDRESS(const uint) source;
  CLOTHC_ADDRESS(uint) target;
  // In words.
  unsigned long long source_stride;
  unsigned long long target_stride;
  unsigned long long word_count;
  uint element_words;
  uint unused;
};
