import { readFileSync } from 'node:fs';

/** Whether a process is running. One that has ended keeps its number until its parent asks for its exit code. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const [state = ''] = fieldsOf(pid);
  return state !== 'Z' && state !== 'X';
}

/**
 * Distinguishes a process from an earlier one with the same number: by the kernel's ticks at its start, and the boot.
 * Empty where it is unknown: only Linux tells it.
 */
export function startOf(pid: number): string {
  const ticks = fieldsOf(pid)[19];
  const boot = textOf('/proc/sys/kernel/random/boot_id').trim();
  return ticks === undefined || boot === '' ? '' : `${ticks} ${boot}`;
}

/**
 * Returns what the kernel knows about a process: its state, and what follows in proc(5). The fields before, its number
 * and its name in parentheses, may contain anything.
 */
function fieldsOf(pid: number): readonly string[] {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
