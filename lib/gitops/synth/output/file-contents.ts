import { closeSync, constants, openSync, readSync } from 'node:fs';
import { byText } from '../../../kubernetes/remembered';

const ENCODER = new TextEncoder();

/**
 * Compares files with texts, byte by byte and without decoding. Clusters have most of their texts in common, so the bytes
 * of a text are remembered. Reading whole files at once would make, and throw away, a buffer for each.
 */
export class FileContents {
  private readonly bytesOf = byText((text) => ENCODER.encode(text));
  private buffer = new Uint8Array(64 * 1024);

  /** Tells whether a file that is there holds exactly a text. */
  are(path: string, text: string): boolean {
    const expected = this.bytesOf(text);
    // A byte more than expected, so that a longer file is seen to be one.
    if (this.buffer.length <= expected.length) this.buffer = new Uint8Array(2 * expected.length + 1);
    const { buffer } = this;
    // What was a file a moment ago may be a pipe by now.
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const length = readSync(descriptor, buffer, 0, expected.length + 1, 0);
      return length === expected.length && Buffer.compare(buffer.subarray(0, length), expected) === 0;
    } finally {
      closeSync(descriptor);
    }
  }
}
