import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { FileTooLarge, NotAFile, readRegularBytes } from '#helm/chart/regular-file';
import type { ChartAt } from '#lib/cli/lint/found';
import type { NotRead } from '#lib/cli/lint/unread';
import { KEY_FILE, keysInText } from '#lib/cli/repository/keys-in-text';
import { Misuse, type Terminal, textIn } from './terminal';

/** The files and charts at the paths of a command line. */
export interface FilesAt {
  /** Texts by path, with slashes. */
  readonly files: ReadonlyMap<string, string>;
  readonly charts: readonly ChartAt[];
  readonly unread: readonly NotRead[];
}

/** A file with ten thousand objects has 10 to 15 MB; parsing it takes some GB of memory. */
const MAX_BYTES = 25_000_000;
const MAX_FILES = 20_000;
const MAX_TOTAL_BYTES = 200_000_000;
const MAX_DEPTH = 50;
const MAX_KEY_BYTES = 1_000_000;

/** Kustomize also reads files with the name `Kustomization`. */
const MANIFEST = /\.(?:ya?ml|json)$|^Kustomization$/i;

/** Selects the files that are read in folders. */
interface Wanted {
  /**
   * Whether a path is left out.
   *
   * @default - none is
   */
  readonly isIgnored?: (path: string) => boolean;

  /**
   * Names of the files to read, also in folders of charts.
   *
   * @default - manifests; the folder of a chart is read as a chart
   */
  readonly names?: RegExp;
}

/**
 * Reads files, and the YAML and JSON files in folders. Skips hidden files, hidden folders and `node_modules`.
 *
 * @throws Misuse for a path that does not exist
 */
export function readFilesAt(paths: readonly string[], wanted: Wanted = {}): FilesAt {
  const reader = new Reader(wanted);
  for (const path of paths) reader.readPath(path);
  return reader;
}

class Reader implements FilesAt {
  readonly files = new Map<string, string>();
  readonly charts: ChartAt[] = [];
  readonly unread: NotRead[] = [];
  private bytes = 0;
  private isFull = false;

  constructor(private readonly wanted: Wanted) {}

  /** A path that the user names may be a link. */
  readPath(path: string): void {
    const shown = path
      .split(sep)
      .join('/')
      .replace(/(?<=.)\/+$/, '');
    const stats = this.attempt(shown, () => statSync(path));
    if (stats === undefined) {
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) throw new Misuse(`${path} does not exist`);
    } else if (stats.isDirectory()) this.readFolder(shown, realpathSync(path), 0);
    else this.readFile(shown);
  }

  private readFolder(folder: string, root: string, depth: number): void {
    if (depth > MAX_DEPTH) {
      this.leave(folder, 'limit', `folders are nested more than ${MAX_DEPTH} levels deep`);
      return;
    }
    const entries = this.attempt(folder, () => readdirSync(folder, { withFileTypes: true })) ?? [];
    const isChart = entries.some((entry) => entry.name === 'Chart.yaml' && entry.isFile());
    if (isChart && this.wanted.names === undefined) {
      this.charts.push(chartIn(folder));
      return;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = inFolder(folder, entry.name);
      if (!isHidden(entry.name) && this.wanted.isIgnored?.(path) !== true) this.readEntry(path, entry, { root, depth });
    }
  }

  private readEntry(
    path: string,
    entry: Dirent,
    { root, depth }: { readonly root: string; readonly depth: number },
  ): void {
    if (entry.isSymbolicLink()) this.checkLink(path, root);
    else if (entry.isDirectory()) this.readFolder(path, root, depth + 1);
    else if (this.isRead(entry.name)) this.readFile(path);
    else if (this.wanted.names === undefined && KEY_FILE.test(entry.name)) this.readKeys(path);
  }

  /** Reads a file only if it contains keys: certificates and other files may have the same names. */
  private readKeys(path: string): void {
    const bytes = this.bytesOf(path, MAX_KEY_BYTES);
    const text = bytes && plainText(bytes);
    if (text !== undefined && keysInText({ file: path }, text).length > 0) this.readFile(path);
  }

  /** Reports a link that leads out of the folder. The target of any other link is read in its own place. */
  private checkLink(path: string, root: string): void {
    const target = this.attempt(path, () => realpathSync(path));
    if (target === undefined || `${target}${sep}`.startsWith(`${root}${sep}`)) return;
    if (this.isRead(posix.basename(path)) || statSync(target).isDirectory()) this.leave(path, 'link');
  }

  private readFile(path: string): void {
    if (this.files.has(path) || this.isFull) return;
    if (this.files.size >= MAX_FILES || this.bytes > MAX_TOTAL_BYTES) {
      this.isFull = true;
      this.leave(
        path,
        'limit',
        `this file and those after it: more than ${MAX_FILES} files, or ${MAX_TOTAL_BYTES} bytes`,
      );
      return;
    }
    const bytes = this.bytesOf(path, MAX_BYTES);
    if (bytes === undefined) return;
    this.bytes += bytes.length;
    const text = plainText(bytes);
    if (text === undefined) this.leave(path, 'encoding');
    else this.files.set(path, text);
  }

  private isRead(name: string): boolean {
    return (this.wanted.names ?? MANIFEST).test(name);
  }

  private bytesOf(path: string, limit: number): Uint8Array | undefined {
    return this.attempt(path, () => readRegularBytes(path, limit), limit);
  }

  private attempt<T>(path: string, read: () => T, limit = MAX_BYTES): T | undefined {
    try {
      return read();
    } catch (error) {
      if (error instanceof NotAFile) this.leave(path, 'irregular');
      else if (error instanceof FileTooLarge) this.leave(path, 'too-large', `more than ${limit} bytes`);
      else this.leave(path, 'unreadable', (error as NodeJS.ErrnoException).code);
      return undefined;
    }
  }

  private leave(file: string, why: NotRead['why'], reason?: string): void {
    this.unread.push({ source: { file }, why, ...(reason !== undefined && { reason }) });
  }
}

/** Returns undefined for binary data, and for UTF-16 without a byte order mark. */
function plainText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0) && !/^(?:fffe|feff)/.test(Buffer.from(bytes.subarray(0, 2)).toString('hex'))) return undefined;
  try {
    return textIn(bytes);
  } catch {
    return undefined;
  }
}

function inFolder(folder: string, name: string): string {
  return folder === '.' ? name : `${folder === '/' ? '' : folder}/${name}`;
}

function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function chartIn(folder: string): ChartAt {
  const { readChartAt } = require('#helm/chart/read-chart-at') as typeof import('#helm/chart/read-chart-at');
  const { ChartError } = require('#helm/chart/chart-error') as typeof import('#helm/chart/chart-error');
  try {
    const chart = readChartAt(folder);
    return { folder, chart, values: valuesOf(folder), overrides: overridesOf(folder) };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    return { folder, chart: error.problem.reason, values: valuesOf(folder) };
  }
}

/** Returns the texts of the values files next to values.yaml: `values-prod.yaml`, `prod.values.yaml`. */
function overridesOf(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((name) => /values.*\.ya?ml$/i.test(name) && name !== 'values.yaml');
  return new Map(names.sort().map((name) => [inFolder(folder, name), valuesOf(folder, name)]));
}

function valuesOf(folder: string, name = 'values.yaml'): string {
  try {
    return textIn(readRegularBytes(`${folder}/${name}`, MAX_BYTES));
  } catch {
    return '';
  }
}

/** The limit for a configuration and for a baseline. */
const MAX_BYTES_OF_OWN = 10_000_000;

/** Returns the text of a file that lint itself reads. @throws Misuse if it is not a file, or cannot be read */
export function textAt(file: string): string {
  try {
    return textIn(readRegularBytes(file, MAX_BYTES_OF_OWN));
  } catch (error) {
    throw new Misuse(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Returns the text of standard input. @throws Misuse if there is too much of it, or it is not text */
export async function readStream({ stdin }: Terminal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > MAX_BYTES)
      throw new Misuse(`standard input has more than ${MAX_BYTES} bytes: check its parts one by one`);
    chunks.push(chunk as Uint8Array);
  }
  const text = plainText(Buffer.concat(chunks));
  if (text === undefined) throw new Misuse('standard input is not text in UTF-8');
  return text;
}
