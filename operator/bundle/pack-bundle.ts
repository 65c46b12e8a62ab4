import { createHash } from 'node:crypto';
import { constants, zstdCompressSync } from 'node:zlib';

/** The operator as the library carries it. */
export interface PackedBundle {
  /** sha256 of the program itself, in hex. */
  readonly sha256: string;
  /** Size of the program, in bytes. */
  readonly bytes: number;
  /** The program, compressed by Zstandard, in base64. */
  readonly zstd: string;
}

/**
 * Most that the compressed program may take. A ConfigMap holds six times as much, but it is copied: into each commit
 * that changes the operator, and into each cluster.
 */
const MAX_BYTES = 160_000;

/** The best that there is: a file is compressed once and read for as long as a release lives. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 22 } };

/**
 * Compresses a program. The bytes follow from the program and the release of Zstandard, which comes with the Node.js
 * that package-lock.json pins, and not from the machine, as those of zlib and Brotli do.
 *
 * @throws Error if it is too large
 */
export function packBundle(code: Uint8Array): PackedBundle {
  const zstd = zstdCompressSync(code, LEVEL);
  if (zstd.length > MAX_BYTES) {
    throw new Error(
      `The bundled operator has ${zstd.length} bytes compressed, more than ${MAX_BYTES}. ` +
        'See with `esbuild --analyze` what takes the room, and leave it out.',
    );
  }
  return {
    sha256: createHash('sha256').update(code).digest('hex'),
    bytes: code.length,
    zstd: zstd.toString('base64'),
  };
}
