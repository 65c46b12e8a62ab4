/** A file, folder or other thing in a tar stream. */
export interface TarEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'device' | 'sparse file' | 'unknown entry';
  readonly data: Uint8Array;
}

/** A damaged tar stream. */
export class TarError extends Error {
  override readonly name = 'TarError';
}

const BLOCK = 512;

interface LongNames {
  readonly path?: string;
  readonly size?: number;
  readonly isSparse?: boolean;
}

/**
 * Reads a tar stream: ustar, with the long names of PAX and GNU. The entries share the memory of the stream. No library
 * is used, because those on npm work with the file system and read more kinds of entries than charts may contain.
 *
 * @throws TarError if the stream is damaged
 */
export function readTar(bytes: Uint8Array, mostEntries: number): readonly TarEntry[] {
  const entries: TarEntry[] = [];
  let long: LongNames = {};
  let offset = 0;
  while (offset < bytes.length) {
    const { header, type, data, end } = blockAt(bytes, offset, long.size);
    if (header.every((byte) => byte === 0)) return entries;
    offset = end;
    if ('xgLK'.includes(type)) {
      long = { ...long, ...longNames(type, data) };
      continue;
    }
    if (entries.length === mostEntries) throw new TarError(`it has more than ${mostEntries} entries`);
    const name = long.path ?? nameIn(header);
    entries.push({ name, type: long.isSparse ? 'sparse file' : typeOf(type, name), data });
    long = {};
  }
  return entries;
}

interface TarBlock {
  readonly header: Uint8Array;
  readonly type: string;
  readonly data: Uint8Array;
  readonly end: number;
}

function blockAt(bytes: Uint8Array, offset: number, longSize: number | undefined): TarBlock {
  const start = offset + BLOCK;
  if (start > bytes.length) throw new TarError('it ends inside of a header');
  const header = bytes.subarray(offset, start);
  checkSum(header);
  const type = String.fromCharCode(header[156] ?? 0);
  const size = hasContent(type) ? (longSize ?? numberIn(header, 124, 12)) : 0;
  if (start + size > bytes.length) throw new TarError('it ends inside of a file');
  return { header, type, data: bytes.subarray(start, start + size), end: start + Math.ceil(size / BLOCK) * BLOCK };
}

/** Links, devices and folders have no content, whatever size their headers name. */
function hasContent(type: string): boolean {
  return !'123456'.includes(type);
}

function typeOf(type: string, name: string): TarEntry['type'] {
  if (type === '5') return 'folder';
  if (type === '0' || type === '\0' || type === '7') return name.endsWith('/') ? 'folder' : 'file';
  if (type === '1' || type === '2') return 'link';
  if ('346'.includes(type)) return 'device';
  return type === 'S' ? 'sparse file' : 'unknown entry';
}

function longNames(type: string, data: Uint8Array): LongNames {
  if (type === 'L') return { path: textIn(data) };
  // Global headers, which e.g. name a commit, and the long targets of links are not needed.
  if (type !== 'x') return {};
  const records = paxRecords(data);
  const [path, size] = [records.get('path'), records.get('size')];
  if (size !== undefined && !/^\d{1,15}$/.test(size)) throw new TarError(`it has a file of size "${size}"`);
  return {
    ...(path && { path }),
    ...(size && { size: Number(size) }),
    ...([...records.keys()].some((key) => key.startsWith('GNU.sparse')) && { isSparse: true }),
  };
}

/** Reads records such as `26 path=chart/values.yaml\n`, each of which begins with its length. */
function paxRecords(data: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  let rest = data;
  while (rest.length > 0) {
    const space = rest.indexOf(0x20);
    const length = Number(textIn(rest.subarray(0, Math.max(space, 0))));
    const record = rest.subarray(space + 1, length - 1);
    const equals = record.indexOf(0x3d);
    if (!Number.isSafeInteger(length) || length > rest.length || equals < 1 || rest[length - 1] !== 0x0a) {
      throw new TarError('it has a broken header');
    }
    records.set(textIn(record.subarray(0, equals)), new TextDecoder().decode(record.subarray(equals + 1)));
    rest = rest.subarray(length);
  }
  return records;
}

function nameIn(header: Uint8Array): string {
  const name = textIn(header.subarray(0, 100));
  const isUstar = textIn(header.subarray(257, 263)) === 'ustar';
  const prefix = isUstar ? textIn(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textIn(field: Uint8Array): string {
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
}

/** Reads a number: octal digits, or, if the highest bit is set, a big-endian binary number (GNU). */
function numberIn(header: Uint8Array, start: number, length: number): number {
  const field = header.subarray(start, start + length);
  const first = field[0] ?? 0;
  if ((first & 0x80) !== 0) {
    const number = [first & 0x7f, ...field.subarray(1)].reduce((sum, byte) => sum * 256 + byte, 0);
    if (!Number.isSafeInteger(number)) throw new TarError('it has a file without a valid size');
    return number;
  }
  const text = textIn(field).trim();
  if (!/^[0-7]*$/.test(text)) throw new TarError('it has a file without a valid size');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

/** Checks the checksum of a header, whose own field counts as spaces. Some old programs summed signed bytes. */
function checkSum(header: Uint8Array): void {
  if (header.every((byte) => byte === 0)) return;
  let [unsigned, signed] = [0, 0];
  for (let index = 0; index < header.length; index += 1) {
    const counted = index >= 148 && index < 156 ? 0x20 : (header[index] ?? 0);
    unsigned += counted;
    signed += counted > 127 ? counted - 256 : counted;
  }
  const stated = numberIn(header, 148, 8);
  if (stated !== unsigned && stated !== signed) throw new TarError('the checksum of a header is wrong');
}
