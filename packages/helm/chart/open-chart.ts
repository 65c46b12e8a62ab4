import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chart, readArchive } from './chart';
import { ChartError } from './chart-error';
import { helmFault } from './chart-faults';
import { archiveName, digestOf, findChart, LOCK_FILE, parseLock } from './charts-lock';

/** A chart whose archive has the digest in the lock. */
export interface OpenedChart {
  readonly chart: Chart;
  /** SHA-256 of the archive, in hexadecimal digits. */
  readonly digest: string;
}

/**
 * Reads a chart from a folder of charts, such as `charts`, and checks the digest of its archive against the folder's
 * lock. Undefined if the lock does not name the chart.
 *
 * @throws ChartError if there is no lock, the archive is missing, or its digest is not that in the lock
 */
export function openChart(folder: string, name: string, version: string): OpenedChart | undefined {
  const lock = readIfThere(join(folder, LOCK_FILE));
  if (lock === undefined) {
    throw new ChartError({ chart: name, ...helmFault('lock-missing', { folder, lock: LOCK_FILE, name, version }) });
  }
  const entry = findChart(parseLock(new TextDecoder().decode(lock)), { name, version });
  if (entry === undefined) return undefined;
  const file = archiveName(entry);
  const archive = readIfThere(join(folder, file));
  if (archive === undefined) {
    throw new ChartError({ chart: name, file, ...helmFault('archive-missing', { name, version }) });
  }
  const digest = digestOf(archive);
  if (digest !== entry.sha256) {
    throw new ChartError({
      chart: name,
      file,
      ...helmFault('archive-changed', { digest, lock: LOCK_FILE, locked: entry.sha256 }),
    });
  }
  return { chart: readArchive(archive, name), digest };
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
