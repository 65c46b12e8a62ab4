import { goDurationMs } from '#base/go-duration';
import { HOUR } from '#base/time-units';
import { durationText } from '#helm/go/durations';

/** The text that Go makes of a duration of whole seconds, which is what cert-manager writes: `87600h0m0s`. */
export function goDuration(text: string): string {
  return durationText(BigInt(Math.round(scaledDuration()(text) / 1_000)) * 1_000_000_000n);
}

/** Reads Go durations of specs as milliseconds of a test. */
export type ScaledDuration = (text: string) => number;

/**
 * Makes the time of specs pass faster. Certificates know seconds only: what ends up shorter than a few of them is
 * expired, or not valid yet, for the larger part of its life.
 * @param hourMs how long an hour takes
 */
export function scaledDuration(hourMs = HOUR): ScaledDuration {
  return (text) => {
    const milliseconds = goDurationMs(text);
    if (milliseconds === undefined) throw new Error(`Expected a Go duration, got "${text}".`);
    return milliseconds * (hourMs / HOUR);
  };
}
