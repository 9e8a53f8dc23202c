// Steady state: updates after warm-up allocate nothing and upload nothing that was not set.
