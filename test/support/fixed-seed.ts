import { configureGlobal } from 'fast-check';

// A fixed seed makes a failing property fail on each machine and in each run.
configureGlobal({ seed: 2026 });
