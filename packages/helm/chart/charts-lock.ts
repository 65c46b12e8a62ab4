import { createHash } from 'node:crypto';
import { compareStrings } from '../go/go-string';
import { readYaml } from '../yaml/read-yaml';
import { ChartError } from './chart-error';
import { helmFault } from './chart-faults';
import { FieldError, StructFields } from './struct-fields';

/** An archive in a folder of charts, and its origin. */
export interface LockedChart {
  readonly name: string;
  readonly version: string;
  /** URL of the repository, or the name of the file that was added. */
  readonly repository: string;
  /** Digest of the archive, in hexadecimal digits. */
  readonly sha256: string;
}

/** Name of the lock in a folder of charts. */
export const LOCK_FILE = 'charts.lock.yaml';

/** Returns the name of an archive in a folder of charts. */
export function archiveName({ name, version }: Pick<LockedChart, 'name' | 'version'>): string {
  return `${name}-${version}.tgz`;
}

/** Returns the digest of an archive. */
export function digestOf(archive: Uint8Array): string {
  return createHash('sha256').update(archive).digest('hex');
}

/**
 * Reads a lock. Returns no charts if there is no text.
 *
 * @throws ChartError if it is not a lock
 */
export function parseLock(text: string | undefined): readonly LockedChart[] {
  if (text === undefined) return [];
  try {
    return StructFields.of(readYaml(text))
      .structs('charts')
      .map((fields = StructFields.of(null)) => lockedChart(fields));
  } catch (error) {
    if (error instanceof ChartError || !(error instanceof Error)) throw error;
    throw refused(error.message, error);
  }
}

function lockedChart(fields: StructFields): LockedChart {
  const [name, version, repository] = [fields.text('name'), fields.text('version'), fields.text('repository')];
  const sha256 = fields.text('sha256');
  if (!isFileName(name) || !isFileName(version))
    throw new FieldError(`it has an invalid name or version of a chart: "${name}" "${version}"`);
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new FieldError(`the digest of ${name} ${version} is not a SHA-256 digest`);
  return { name, version, repository, sha256 };
}

/** Whether a name or version is safe in a file name. */
export function isFileName(text: string): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9._+-]{0,127}$/.test(text);
}

/** Adds a chart to a lock. It replaces a chart whose archive has the same name. */
export function withChart(charts: readonly LockedChart[], chart: LockedChart): readonly LockedChart[] {
  return [...charts.filter((other) => archiveName(other) !== archiveName(chart)), chart];
}

/** Returns the entry of a chart; undefined if there is none. */
export function findChart(
  charts: readonly LockedChart[],
  wanted: Pick<LockedChart, 'name' | 'version'>,
): LockedChart | undefined {
  return charts.find(({ name, version }) => name === wanted.name && version === wanted.version);
}

/** Formats a lock, sorted, with one field in each line, so that Git merges changes well. */
export function formatLock(charts: readonly LockedChart[]): string {
  const sorted = charts.toSorted((a, b) => compareStrings(archiveName(a), archiveName(b)));
  const entries = sorted.map(
    ({ name, version, repository, sha256 }) =>
      `  - name: ${JSON.stringify(name)}\n    version: ${JSON.stringify(version)}\n` +
      `    repository: ${JSON.stringify(repository)}\n    sha256: ${JSON.stringify(sha256)}\n`,
  );
  const list = entries.length === 0 ? 'charts: []\n' : `charts:\n${entries.join('')}`;
  return `# The archives in this folder. \`charts pull\` and \`charts add\` write it.\n${list}`;
}

function refused(quote: string, cause: Error): ChartError {
  return new ChartError({ chart: 'charts', file: LOCK_FILE, ...helmFault('lock-invalid', { quote }) }, { cause });
}
