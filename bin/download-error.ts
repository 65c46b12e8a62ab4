import { printableLine } from '#base/findings/printable-text';
import { shortened } from '#base/shortened';

/** Maximum number of characters of a message, parts of which come from untrusted servers. */
const MAX_CHARACTERS = 500;

/** A chart that cannot be downloaded. */
export class DownloadError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const line = printableLine(message.slice(0, 2 * MAX_CHARACTERS));
    super(shortened(line, MAX_CHARACTERS), options);
  }
}
