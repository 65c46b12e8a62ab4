import type { IncomingMessage } from 'node:http';

const MIB = 2 ** 20;

/**
 * The API server takes objects of up to 3 MiB, and a review of an update holds two of them. The rest is room for what
 * the review says besides. controller-runtime draws the line at the same place.
 */
export const BODY_LIMIT_BYTES = 7 * MIB;

/**
 * Values in one body, by the characters that begin or part them. Parsed, an empty list of two bytes takes some hundred:
 * 7 MiB of them would need more memory than the operator has. A review of the API server that is as large holds long
 * texts instead.
 */
const MOST_VALUES = 400_000;

/** All bodies that are being read: so much, and no more, can be made of the operator's memory at a time. */
const TOTAL_LIMIT_BYTES = 4 * BODY_LIMIT_BYTES;

/** A body, or why it was not kept. */
export type RequestBody = { readonly text: string } | { readonly refused: 'too large' | 'too many' };

/** How much is kept: of one body, and of all that are being read. */
interface BodyLimits {
  readonly bytes: number;
  readonly totalBytes: number;
  /** Of one as of all. */
  readonly values: number;
}

const LIMITS: BodyLimits = { bytes: BODY_LIMIT_BYTES, totalBytes: TOTAL_LIMIT_BYTES, values: MOST_VALUES };

/** Reads bodies of requests, as many at a time as memory is set aside for. */
export function createBodyReader(limits: BodyLimits = LIMITS): (request: IncomingMessage) => Promise<RequestBody> {
  const kept = new Set<KeptBody>();
  const total = (of: 'bytes' | 'values'): number => {
    let sum = 0;
    for (const body of kept) sum += body[of];
    return sum;
  };
  return async (request) => {
    const body = new KeptBody();
    kept.add(body);
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        // What is refused is still read to its end: who is cut off while he writes may never see the answer.
        body.keep(chunk);
        if (body.bytes > limits.bytes || body.values > limits.values) body.refuse('too large');
        else if (total('bytes') > limits.totalBytes || total('values') > limits.values) body.refuse('too many');
      }
      return body.result();
    } finally {
      kept.delete(body);
    }
  };
}

/** What was kept so far of a body, unless it was refused. */
class KeptBody {
  bytes = 0;
  values = 0;
  private chunks: Buffer[] = [];
  private refused: 'too large' | 'too many' | undefined;

  keep(chunk: Buffer): void {
    if (this.refused) return;
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    this.values += valuesIn(chunk);
  }

  refuse(why: 'too large' | 'too many'): void {
    this.refused ??= why;
    this.chunks = [];
    this.bytes = 0;
    this.values = 0;
  }

  result(): RequestBody {
    return this.refused ? { refused: this.refused } : { text: Buffer.concat(this.chunks).toString() };
  }
}

const COMMA = 0x2c;

/** How many `{`, `[` and `,` there are, in texts as well: `[` is 0x5b, and `{` differs from it in one bit only. */
function valuesIn(chunk: Buffer): number {
  let count = 0;
  // By index: an iterator would take ten times as long.
  for (let index = 0; index < chunk.length; index += 1) {
    const byte = chunk[index] ?? 0;
    if ((byte & 0xdf) === 0x5b || byte === COMMA) count += 1;
  }
  return count;
}
