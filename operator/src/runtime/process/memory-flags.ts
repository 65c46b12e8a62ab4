import { setFlagsFromString } from 'node:v8';

/** Flags of V8 that trade speed which the operator does not need for memory; measured by bench/operator-memory.ts. */
const FLAGS = [
  // The part of the heap in which objects start their lives stays as it begins. Under load V8 lets it grow to 48 MiB and
  // gives nothing back, but what the operator makes of a request is gone a millisecond later, wherever it was.
  '--semi-space-growth-factor=1',
  // The rest of the heap grows in smaller steps before it is collected.
  '--optimize-for-size',
  // One optimizing compiler and not two: 8 MiB of code, of compilers and compiled.
  '--no-maglev',
  // Less of what a function calls is compiled into it: what is compiled at a time takes memory, too.
  '--max-inlined-bytecode-size=100',
  '--max-inlined-bytecode-size-cumulative=200',
];

/**
 * Has V8 take as little memory as it can at hardly any cost of time.
 *
 * Node only promises to heed flags that are given when it starts, but V8 reads these ones each time it could use what
 * they are about; and so they hold however the operator is started.
 */
export function setMemoryFlags(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
