import { gzipSync } from 'node:zlib';

/** An entry of an archive, which need not be valid. */
export interface WrittenEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  readonly type?: string;
  /** The size in the header. */
  readonly size?: number;
  readonly isDamaged?: boolean;
}

export function tarGz(entries: readonly WrittenEntry[]): Buffer {
  return gzipSync(Buffer.concat([...entries.map(entryOf), Buffer.alloc(1024)]));
}

/** Returns a packaged chart with these files. */
export function packaged(files: Readonly<Record<string, string | Buffer>>, folder = 'parent'): Buffer {
  return tarGz(Object.entries(files).map(([path, content]) => ({ name: `${folder}/${path}`, content })));
}

function entryOf({ name, content = '', type = '0', size, isDamaged = false }: WrittenEntry): Buffer {
  const data = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${(size ?? data.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0) + (isDamaged ? 1 : 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}
