import { goDurationMs } from '#base/go-duration';
import { HOUR } from '#base/time-units';
import { durationText } from '#helm/go/durations';

/** A duration of whole seconds in Go's format, which cert-manager writes: `87600h0m0s`. */
export function goDuration(text: string): string {
  return durationText(BigInt(Math.round(scaledDuration()(text) / 1_000)) * 1_000_000_000n);
}

/** Converts a Go duration of a spec to milliseconds of a test. */
export type ScaledDuration = (text: string) => number;

/**
 * Shortens the durations of specs. Certificates have times in whole seconds: one that lives for less than a few
 * seconds is expired, or not valid yet, for the larger part of its life.
 * @param hourMs milliseconds of a test for an hour of a spec
 */
export function scaledDuration(hourMs = HOUR): ScaledDuration {
  return (text) => {
    const milliseconds = goDurationMs(text);
    if (milliseconds === undefined) throw new Error(`Expected a Go duration, got "${text}".`);
    return milliseconds * (hourMs / HOUR);
  };
}
