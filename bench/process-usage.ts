import { readFileSync } from 'node:fs';

/** The CPU time that a process has used, and the memory that it uses now. */
export interface ProcessUsage {
  readonly cpuMs: number;
  readonly rssMiB: number;
  /** The part of `rssMiB` that no file backs. */
  readonly anonymousMiB: number;
}

/** Linux counts processor time in hundredths of a second, on every architecture that Node runs on. */
const MS_PER_TICK = 10;

/** Returns the usage of a process, from /proc. */
export function processUsage(pid: number): ProcessUsage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may contain spaces; utime and stime are the 12th and 13th fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  // Exact: the numbers in `status` may be off by some hundred pages per thread.
  const pages = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mebibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(pages)?.[1]) / 1024;
  return {
    cpuMs: (user + system) * MS_PER_TICK,
    rssMiB: mebibytes('Rss'),
    anonymousMiB: mebibytes('Anonymous'),
  };
}
