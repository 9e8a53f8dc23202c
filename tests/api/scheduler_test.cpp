// Application schedulers, floating-point environments, and updates blocked behind fences.
