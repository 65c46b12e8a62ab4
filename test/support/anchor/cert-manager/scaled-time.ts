const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

/** The text that Go makes of a duration of whole seconds, which is what cert-manager writes: `87600h0m0s`. */
export function goDuration(text: string): string {
  const seconds = Math.round(scaledDuration()(text) / 1_000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hours > 0) return `${hours}h${minutes}m${rest}s`;
  return minutes > 0 ? `${minutes}m${rest}s` : `${rest}s`;
}

/** Reads Go durations of specs as milliseconds of a test. */
export type ScaledDuration = (text: string) => number;

/**
 * Makes the time of specs pass faster. Certificates know seconds only: what ends up shorter than a few of them is
 * expired, or not valid yet, for the larger part of its life.
 * @param hourMs how long an hour takes
 */
export function scaledDuration(hourMs = HOUR_MS): ScaledDuration {
  return (text) => {
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)];
    if (parts.length === 0) throw new Error(`Expected a Go duration, got "${text}".`);
    const milliseconds = parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (UNITS[unit] ?? 0), 0);
    return milliseconds * (hourMs / HOUR_MS);
  };
}
