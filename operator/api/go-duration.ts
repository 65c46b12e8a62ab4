const MS_OF_UNIT: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

// As an escape, because the bundled program is read as one byte a letter, and esbuild leaves patterns as they are.
const PART = /(\d+(?:\.\d+)?)(ns|us|\u00b5s|ms|s|m|h)/g;
const WHOLE = /^(?:\d+(?:\.\d+)?(?:ns|us|\u00b5s|ms|s|m|h))+$/;

/** Returns the milliseconds of a Go duration without a sign (`1h30m`); undefined if it is invalid. */
export function goDurationMs(text: string): number | undefined {
  if (text === '0') return 0;
  if (!WHOLE.test(text)) return undefined;
  const parts = [...text.matchAll(PART)];
  return parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (MS_OF_UNIT[unit] ?? 0), 0);
}
