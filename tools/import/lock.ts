import type { Pin } from './pins';
import { type Source, sourceFingerprint } from './source';

interface Locked {
  readonly url: string;
  readonly sha256: string;
}

/** Locked sources, by the name of their pin. */
export type Lock = Readonly<Record<string, Locked>>;

/** The lock's file below `imports/`. */
export const LOCK_FILE = 'sources.json';

export function lockOf(sources: readonly Source[]): Lock {
  return Object.fromEntries(
    sources.map((source) => [source.pin.name, { url: source.pin.url, sha256: sourceFingerprint(source) }]),
  );
}

/** Sources whose content has changed since the same address was imported. */
export function changedSources(before: Lock, now: Lock): readonly string[] {
  return Object.entries(now)
    .filter(([name, { url, sha256 }]) => before[name]?.url === url && before[name].sha256 !== sha256)
    .map(([name]) => name);
}

/** Names whose pinned and locked addresses differ, and names that are only pinned or only locked. */
export function movedPins(lock: Lock, pins: readonly Pin[]): readonly string[] {
  const pinned = new Map(pins.map(({ name, url }) => [name, url]));
  return [...new Set([...pinned.keys(), ...Object.keys(lock)])].filter((name) => pinned.get(name) !== lock[name]?.url);
}
