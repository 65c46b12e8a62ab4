import type { IncomingMessage } from 'node:http';

const MIB = 2 ** 20;

/**
 * The API server takes objects of up to 3 MiB, and a review of an update holds two of them. The rest is room for what
 * the review says besides. controller-runtime draws the line at the same place.
 */
export const BODY_LIMIT_BYTES = 7 * MIB;

/** All bodies that are being read: so much, and no more, can be made of the operator's memory at a time. */
const TOTAL_LIMIT_BYTES = 4 * BODY_LIMIT_BYTES;

/** A body, or why it was not kept. */
export type RequestBody = { readonly text: string } | { readonly refused: 'too large' | 'too many' };

/** How much of bodies is kept: of one, and of all that are being read. */
interface BodyLimits {
  readonly bytes: number;
  readonly totalBytes: number;
}

/** Reads bodies of requests, as many at a time as memory is set aside for. */
export function createBodyReader(
  limits: BodyLimits = { bytes: BODY_LIMIT_BYTES, totalBytes: TOTAL_LIMIT_BYTES },
): (request: IncomingMessage) => Promise<RequestBody> {
  let totalBytes = 0;
  return async (request) => {
    const body = new KeptBody();
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        // What is refused is still read to its end: who is cut off while he writes may never see the answer.
        totalBytes += body.keep(chunk);
        if (body.bytes > limits.bytes) totalBytes -= body.refuse('too large');
        else if (body.bytes > 0 && totalBytes > limits.totalBytes) totalBytes -= body.refuse('too many');
      }
      return body.result();
    } finally {
      totalBytes -= body.bytes;
    }
  };
}

/** What was kept so far of a body, unless it was refused. */
class KeptBody {
  bytes = 0;
  private chunks: Buffer[] = [];
  private refused: 'too large' | 'too many' | undefined;

  /** Returns how many bytes that added. */
  keep(chunk: Buffer): number {
    if (this.refused) return 0;
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    return chunk.length;
  }

  /** Returns how many bytes that set free. */
  refuse(why: 'too large' | 'too many'): number {
    const { bytes } = this;
    this.refused = why;
    this.chunks = [];
    this.bytes = 0;
    return bytes;
  }

  result(): RequestBody {
    return this.refused ? { refused: this.refused } : { text: Buffer.concat(this.chunks).toString() };
  }
}
