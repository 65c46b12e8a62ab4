import type { IncomingMessage } from 'node:http';
import { createJsonMeter } from './json-meter';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/**
 * The API server accepts objects of up to 3 MiB, and a review of an update contains two of them. The rest is for the
 * review itself. controller-runtime has the same limit.
 */
export const BODY_LIMIT_BYTES = 7 * MIB;

interface BodyLimits {
  readonly bytes: number;
  /**
   * Values in one body. A parsed empty list takes some hundred bytes instead of two: 7 MiB of empty lists would need
   * more memory than the operator has. An object in etcd (1.5 MiB) has less than half as many values; larger ones
   * contain long strings.
   */
  readonly values: number;
  /** The depth of values in one body, since code that processes them is recursive. @default - no limit */
  readonly depth?: number;
  readonly totalBytes: number;
  /** @default - as many as in one body */
  readonly totalValues?: number;
  /**
   * The share of the totals that is reserved for small bodies, so that large ones cannot block them. @default - none
   */
  readonly small?: SmallBodies;
}

interface SmallBodies {
  readonly bytes: number;
  readonly values: number;
  readonly reservedBytes: number;
  readonly reservedValues: number;
}

const LIMITS: BodyLimits = {
  bytes: BODY_LIMIT_BYTES,
  values: 100_000,
  depth: 200,
  totalBytes: 4 * BODY_LIMIT_BYTES,
  totalValues: 200_000,
  // Nearly every pod is small.
  small: { bytes: 64 * KIB, values: 4_000, reservedBytes: 8 * MIB, reservedValues: 80_000 },
};

type Refusal = 'too large' | 'too many';

interface RefusedBody {
  readonly refused: Refusal;
}

/** Lower limits for a body. */
export interface BodyExpectation {
  /** @default - the limit of any body */
  readonly mostValues?: number | undefined;
  /** @default - the limit of any body */
  readonly mostBytes?: number | undefined;
}

interface ReadBody {
  readonly text: string;
}

/**
 * Reads the body of a request, and counts its memory until the work on it is done.
 * @param work processes the text, which is decoded on demand. @default - none: the text is returned
 * @param expected limits of this body. @default - the common limits
 */
type BodyReader = <T = ReadBody>(
  request: IncomingMessage,
  work?: (text: () => string) => T | Promise<T>,
  expected?: BodyExpectation,
) => Promise<T | RefusedBody>;

/** Creates a reader that reads as many bodies at a time as the reserved memory allows. */
export function createBodyReader(limits: BodyLimits = LIMITS): BodyReader {
  const { totalBytes, totalValues = limits.values, small } = limits;
  const used = { bytes: 0, values: 0 };

  /** Returns why a body of this size is rejected; undefined if it is accepted. */
  const objection = (body: KeptBody, expected: BodyExpectation): Refusal | undefined => {
    const { mostBytes = limits.bytes, mostValues = limits.values } = expected;
    if (body.bytes > Math.min(mostBytes, limits.bytes)) return 'too large';
    if (body.values > Math.min(mostValues, limits.values)) return 'too large';
    if (limits.depth !== undefined && body.depth > limits.depth) return 'too large';
    const isSmall = small !== undefined && body.bytes <= small.bytes && body.values <= small.values;
    const reserved = small === undefined || isSmall ? { bytes: 0, values: 0 } : reservedOf(small);
    const isFull = used.bytes > totalBytes - reserved.bytes || used.values > totalValues - reserved.values;
    return isFull ? 'too many' : undefined;
  };

  return async <T>(
    request: IncomingMessage,
    work = (text: () => string): T | Promise<T> => ({ text: text() }) as T,
    expected: BodyExpectation = {},
  ): Promise<T | RefusedBody> => {
    const body = new KeptBody();
    let refused: Refusal | undefined;
    const count = (sign: 1 | -1): void => {
      used.bytes += sign * body.bytes;
      used.values += sign * body.values;
    };
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        // A rejected body is still read to its end: a client that is cut off while it writes may never see the answer.
        if (refused !== undefined) continue;
        count(-1);
        body.keep(chunk);
        count(1);
        refused = objection(body, expected);
        if (refused === undefined) continue;
        count(-1);
        body.drop();
      }
      return refused === undefined ? await work(() => body.text()) : { refused };
    } finally {
      count(-1);
    }
  };
}

function reservedOf({ reservedBytes, reservedValues }: SmallBodies): { bytes: number; values: number } {
  return { bytes: reservedBytes, values: reservedValues };
}

/** The part of a body that has arrived, in one buffer, because even a chunk of one byte takes hundreds. */
class KeptBody {
  bytes = 0;
  private buffer: Buffer = Buffer.alloc(0);
  private meter = createJsonMeter();

  get values(): number {
    return this.meter.values;
  }

  get depth(): number {
    return this.meter.depth;
  }

  keep(chunk: Buffer): void {
    this.meter.push(chunk);
    const bytes = this.bytes + chunk.length;
    if (bytes > this.buffer.length) {
      // Nearly all bodies arrive in one chunk, which is not copied.
      const larger = this.bytes === 0 ? chunk : Buffer.allocUnsafeSlow(Math.ceil(bytes * GROWTH));
      if (larger !== chunk) this.buffer.copy(larger, 0, 0, this.bytes);
      this.buffer = larger;
    }
    if (this.bytes > 0) chunk.copy(this.buffer, this.bytes);
    this.bytes = bytes;
  }

  drop(): void {
    this.bytes = 0;
    this.buffer = Buffer.alloc(0);
    this.meter = createJsonMeter();
  }

  text(): string {
    return this.buffer.toString('utf8', 0, this.bytes);
  }
}

/** The factor by which a buffer is larger than needed: a body is copied a few times, and wastes a fifth at most. */
const GROWTH = 1.25;
