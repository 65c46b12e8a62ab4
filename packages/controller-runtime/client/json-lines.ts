const LINE_FEED = 0x0a;

/**
 * Splits a stream of bytes into lines. Works on bytes, because a chunk may end within a character.
 * @param onLine called with each complete line, without its end; empty lines are left out
 */
export function createLineSplitter(onLine: (line: string) => void): {
  push(chunk: Buffer): void;
  /** Whether a line has started and not ended. */
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
