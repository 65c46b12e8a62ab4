import type { AnchorMemory, RememberedIssuer, Rotation } from '#anchor/memory';
import { NO_MEMORY } from '#anchor/memory';
import type { AnchorPolicy } from '#anchor/observed';
import type { MeshedPod } from '../objects/meshed-pod';

/**
 * Returns a memory without times in the future, which were written with a wrong clock and would prolong waits: each is
 * replaced by the current time. Expiry times of certificates are in the future, and stay.
 */
export function believedMemory(memory: AnchorMemory, now: number, policy: AnchorPolicy): AnchorMemory {
  const believed = (time: number): number => (time > now + policy.skew ? now : time);
  const { bundles, rotation, issuer, leaves, compromised, certification } = memory;
  return {
    ...memory,
    bundles: bundles.map((bundle) => ({ ...bundle, since: believed(bundle.since) })),
    ...(rotation && { rotation: withTimes(rotation, ROTATION_TIMES, believed) }),
    ...(issuer && { issuer: withTimes(issuer, ISSUER_TIMES, believed) }),
    ...(compromised && { compromised: { ...compromised, since: believed(compromised.since) } }),
    ...(certification && {
      certification: {
        ...withTimes(certification, ['since'], believed),
        by: certification.by.map((one) => withTimes(one, ['since'], believed)),
      },
    }),
    ...(leaves?.until !== undefined && {
      leaves: { ...leaves, until: Math.min(leaves.until, latest(memory, now, policy)) },
    }),
  };
}

/** The properties of `T` that are times of observations: all its numbers except `Others`. */
type Times<T, Others extends keyof T> = {
  readonly [K in Exclude<keyof T, Others> as NonNullable<T[K]> extends number ? K : never]-?: true;
};

const ROTATION_TIMES = keys<Times<Rotation, 'to'>>({
  began: true,
  announced: true,
  signing: true,
  adopted: true,
  dropped: true,
  returned: true,
});
const ISSUER_TIMES = keys<Times<RememberedIssuer, 'revision' | 'notAfter' | 'before'>>({
  since: true,
  seen: true,
  takenUp: true,
  steady: true,
});

function keys<T extends object>(names: T): readonly (keyof T)[] {
  return Object.keys(names) as (keyof T)[];
}

function withTimes<T extends object>(facts: T, names: readonly (keyof T)[], believed: (time: number) => number): T {
  const times = names.flatMap((name) => {
    const time = facts[name];
    return typeof time === 'number' ? [[name, believed(time)] as const] : [];
  });
  return { ...facts, ...Object.fromEntries(times) };
}

function latest({ leaves }: AnchorMemory, now: number, { lag, patience, restartTime, skew }: AnchorPolicy): number {
  return now + (leaves?.reach ?? 0) + lag + patience + restartTime + skew;
}

/** Removes the old chains of deleted pods. */
export function withoutGone(memory: AnchorMemory, pods: readonly Pick<MeshedPod, 'metadata'>[]): AnchorMemory {
  if (memory.rotation?.oldChains === undefined) return memory;
  const { oldChains, ...rotation } = memory.rotation;
  const names = new Set(pods.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`));
  return { ...memory, rotation: { ...rotation, oldChains: oldChains.filter(({ pod }) => names.has(pod)) } };
}

/**
 * Discards a memory if the annotation `forget-memory` has a value that was not handled yet. The operator then observes
 * the discarded facts again, and counts their durations from that observation. The memory keeps handled requests,
 * leaked keys, and the certifying anchors of another cluster. It keeps a rotation, without its times, if it is being
 * rolled back or can no longer be rolled back.
 */
export function forgottenMemory(memory: AnchorMemory, word: string | undefined): AnchorMemory {
  if (word === undefined || word === '' || memory.forgotten === word) return memory;
  const { rotated, rotation, compromised, vouched, certification } = memory;
  return {
    ...NO_MEMORY,
    forgotten: word,
    ...(compromised !== undefined && { compromised }),
    ...(vouched !== undefined && { vouched }),
    ...(rotated !== undefined && { rotated }),
    ...(certification && { certification: { by: certification.by.map(({ since: _, ...one }) => one) } }),
    ...(rotation !== undefined && Object.values(rotation).includes(true) && { rotation: withoutTimes(rotation) }),
  };
}

function withoutTimes({
  announced: _,
  signing: __,
  adopted: ___,
  dropped: ____,
  returned: _____,
  ...rest
}: Rotation): Rotation {
  return rest;
}
