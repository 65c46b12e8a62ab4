const LINE_FEED = 0x0a;

/**
 * Cuts a stream of bytes into lines. Bytes and not characters, since a chunk may end in the middle of one.
 * @param onLine called with each line that is complete, without its end; empty lines are left out
 */
export function createLineSplitter(onLine: (line: string) => void): {
  push(chunk: Buffer): void;
  /** Tells whether a line has begun that has not ended. */
  isInLine(): boolean;
} {
  let begun: Buffer[] = [];

  const complete = (end: Buffer): void => {
    const line = begun.length === 0 ? end : Buffer.concat([...begun, end]);
    begun = [];
    if (line.length > 0) onLine(line.toString('utf8'));
  };

  return {
    push: (chunk) => {
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        complete(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start < chunk.length) begun.push(chunk.subarray(start));
    },
    isInLine: () => begun.length > 0,
  };
}
