const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** As OpenSSL prints times: `Sep  3 21:40:37 2025 GMT`, the day padded by a space. */
const PRINTED = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?:\.\d+)? (\d{4}) GMT$/;

/**
 * An end of a certificate's validity, from the text that Node.js has of it; undefined if that is none. (Node.js gives
 * dates by itself since 23, and how `Date` reads such a text is up to the engine.)
 */
export function certificateTime(printed: string): Date | undefined {
  const [, month = '', ...numbers] = PRINTED.exec(printed) ?? [];
  const [day = 0, hours = 0, minutes = 0, seconds = 0, year = 0] = numbers.map(Number);
  if (!MONTHS.includes(month)) return undefined;
  const time = new Date(0);
  // Not by Date.UTC, which takes the years 0 to 99 for those of a century ago.
  time.setUTCFullYear(year, MONTHS.indexOf(month), day);
  time.setUTCHours(hours, minutes, seconds);
  return time;
}
