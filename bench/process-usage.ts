import { readFileSync } from 'node:fs';

/** What a process has used so far, and holds now. */
export interface ProcessUsage {
  readonly cpuMs: number;
  readonly rssMiB: number;
}

/** Linux counts processor time in hundredths of a second, on every architecture that Node runs on. */
const MS_PER_TICK = 10;

/** Usage of a process, from /proc. */
export function processUsage(pid: number): ProcessUsage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may hold blanks; utime and stime are the 12th and 13th fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  const rssKiB = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return { cpuMs: (user + system) * MS_PER_TICK, rssMiB: rssKiB / 1024 };
}
