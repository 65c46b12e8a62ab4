import { gunzipSync } from 'node:zlib';
import { RenderBudget } from '../go/budget';
import { readTar, type TarEntry, TarError } from './tar';

/** Files by their paths in the chart. */
export type ChartFiles = ReadonlyMap<string, Uint8Array>;

/** Limits for archives: those of Helm (helm.sh/helm/v3/pkg/chart/loader/archive.go), and for entries and ratio. */
export const ARCHIVE_BOUNDS = {
  /** The size of all files together, including those in archives of dependencies. */
  unpackedBytes: 100 * 2 ** 20,
  fileBytes: 5 * 2 ** 20,
  /** A chart with all its dependencies has hundreds of files. */
  entries: 20_000,
  /** Repetitive manifests shrink to a twentieth. Below `ratioFreeBytes`, any ratio is allowed. */
  ratio: 200,
  ratioFreeBytes: 8 * 2 ** 20,
} as const;

/** What a chart may still consume while it is read. The archives of its dependencies share this allowance. */
export interface UnpackAllowance {
  /** For parsing the content of the files. */
  readonly budget: RenderBudget;
  bytes: number;
  entries: number;
}

/** Returns the allowance of a whole chart. */
export function unpackAllowance(): UnpackAllowance {
  return { budget: new RenderBudget(), bytes: ARCHIVE_BOUNDS.unpackedBytes, entries: ARCHIVE_BOUNDS.entries };
}

/** An archive that is not a chart, or is unsafe to unpack. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;
}

/**
 * Unpacks a packaged chart in memory. Paths are relative to the chart's folder.
 *
 * @throws ArchiveError if it is damaged, unsafe or too large
 */
export function unpackArchive(archive: Uint8Array, allowance: UnpackAllowance = unpackAllowance()): ChartFiles {
  const files = new Map<string, Uint8Array>();
  for (const entry of entriesOf(gunzip(archive, allowance))) {
    if (entry.type === 'folder') continue;
    if (entry.type !== 'file')
      throw new ArchiveError(`"${entry.name}" is a ${entry.type}, but charts contain only files`);
    const path = pathInChart(entry.name);
    if (files.has(path)) throw new ArchiveError(`the archive contains "${path}" twice`);
    allowance.entries -= 1;
    allowance.bytes -= entry.data.length;
    if (allowance.entries < 0) throw new ArchiveError(`the chart has more than ${ARCHIVE_BOUNDS.entries} files`);
    if (allowance.bytes < 0)
      throw new ArchiveError(`the files of the chart are larger than ${ARCHIVE_BOUNDS.unpackedBytes} bytes`);
    if (entry.data.length > ARCHIVE_BOUNDS.fileBytes) {
      throw new ArchiveError(`"${path}" is larger than ${ARCHIVE_BOUNDS.fileBytes} bytes`);
    }
    files.set(path, withoutByteOrderMark(entry.data));
  }
  if (files.size === 0) throw new ArchiveError('the archive contains no files');
  return files;
}

/** Returns a file without the byte order mark that some editors write before UTF-8. */
export function withoutByteOrderMark(data: Uint8Array): Uint8Array {
  return data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data;
}

/** Headers and padding of tar come on top of the files. */
const TAR_OVERHEAD = 2 ** 20;

function gunzip(archive: Uint8Array, { bytes, entries }: UnpackAllowance): Uint8Array {
  if (!isGzip(archive)) throw new ArchiveError('it is not a gzipped archive');
  const byRatio = Math.max(ARCHIVE_BOUNDS.ratioFreeBytes, ARCHIVE_BOUNDS.ratio * archive.length);
  const most = Math.min(bytes + entries * 1024 + TAR_OVERHEAD, byRatio);
  try {
    const { buffer, byteOffset, length } = gunzipSync(archive, { maxOutputLength: most });
    return new Uint8Array(buffer, byteOffset, length);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new ArchiveError(`the archive unpacks to more than ${most} bytes`);
    throw new ArchiveError('the archive is damaged: it is not a complete gzip stream', { cause: error });
  }
}

function entriesOf(bytes: Uint8Array): readonly TarEntry[] {
  try {
    return readTar(bytes, ARCHIVE_BOUNDS.entries * 2);
  } catch (error) {
    if (error instanceof TarError) throw new ArchiveError(`the archive is damaged: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Archives that were created on Windows separate the parts of paths by backslashes. */
function pathInChart(name: string): string {
  const delimiter = name.includes('\\') ? '\\' : '/';
  const [folder, ...parts] = name.split(delimiter);
  if (name.includes('\0')) throw new ArchiveError('the archive contains a name with a zero byte');
  if (folder === 'Chart.yaml') throw new ArchiveError('Chart.yaml is not in a folder');
  const inside = parts.join('/').split('/');
  if (parts.length === 0) throw new ArchiveError(`"${name}" is not in the folder of the chart`);
  if (inside[0] === '' || folder === '..')
    throw new ArchiveError(`"${name}" is an absolute path, or a path outside of the chart`);
  if (inside.includes('..')) throw new ArchiveError(`"${name}" leads out of a folder`);
  if (/^[a-zA-Z]:/.test(inside[0] ?? '')) throw new ArchiveError(`"${name}" names a drive`);
  const path = inside.filter((part) => part !== '' && part !== '.').join('/');
  if (path === '') throw new ArchiveError(`"${name}" is not in the folder of the chart`);
  return path;
}
