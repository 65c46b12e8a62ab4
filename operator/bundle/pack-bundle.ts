import { createHash } from 'node:crypto';
import { gzipSync } from 'fflate';

/** The operator as the library carries it. */
export interface PackedBundle {
  /** sha256 of the program itself, in hex. */
  readonly sha256: string;
  /** Size of the program, in bytes. */
  readonly bytes: number;
  /** The program, compressed by gzip, in base64. */
  readonly gzip: string;
}

/**
 * Most that a ConfigMap may hold (https://kubernetes.io/docs/concepts/configuration/configmap/), less what the loader
 * beside the program takes.
 */
const MAX_BYTES = 1024 * 1024 - 4096;

/**
 * Compresses a program so that it fits a ConfigMap. Compressed by JavaScript, since what zlib makes of the same bytes
 * differs between builds of Node.js.
 *
 * @throws Error if it does not fit
 */
export function packBundle(code: Uint8Array): PackedBundle {
  const gzip = gzipSync(code, { level: 9, mtime: 0 });
  if (gzip.length > MAX_BYTES) {
    throw new Error(
      `The bundled operator has ${gzip.length} bytes compressed, but a ConfigMap holds at most ${MAX_BYTES}. ` +
        'See with `esbuild --analyze` what takes the room, and leave it out.',
    );
  }
  return {
    sha256: createHash('sha256').update(code).digest('hex'),
    bytes: code.length,
    gzip: Buffer.from(gzip).toString('base64'),
  };
}
