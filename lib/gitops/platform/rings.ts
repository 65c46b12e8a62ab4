import { errorsAt, type Finding } from '../../kubernetes/findings/finding';
import type { Problem } from '../../kubernetes/findings/problem';
import { unknownKeys } from '../../kubernetes/known-keys';
import { isObject } from '../../kubernetes/select-fields';
import { suggestion } from '../../kubernetes/suggest';
import { showValue } from '../../kubernetes/value-path';
import { RING, type Ring } from '../argocd/ring';
import type { ClusterDefinition } from '../synth/build-cluster';
import { PLATFORM_FINDINGS } from './findings';

/** The rings of a platform as they are given: by name alone, or with what is their own. */
export type GivenRings<Name extends string = string> = readonly (Name | Ring<Name>)[];

/** The rings that were given, without what is none, which `checkGivenRings` reports. */
export function ringsOf(given: GivenRings = []): readonly Ring[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((ring: string | Ring) => {
    if (typeof ring === 'string') return [{ name: ring }];
    return isRing(ring) ? [withoutNull(ring)] : [];
  });
}

/** Reports what was given as rings and is none: code without types may give anything. */
export function checkGivenRings(given: unknown = []): readonly Problem[] {
  if (!Array.isArray(given)) return [noRing('rings', given)];
  return given.flatMap((ring, index) =>
    typeof ring === 'string' || isRing(ring)
      ? unknownKeys<Ring>(RING, typeof ring === 'string' ? undefined : ring, `rings[${index}]`)
      : [noRing(`rings[${index}]`, ring)],
  );
}

/** Checks that each cluster is in a ring that there is, or that there are none. */
export function checkClusterRings(clusters: readonly ClusterDefinition[], rings: readonly Ring[]): readonly Finding[] {
  const names = rings.map(({ name }) => name);
  const known = new Set(names);
  return clusters.flatMap(({ name, props: { ring } }) => {
    if (ring !== undefined && known.has(ring)) return [];
    if (ring !== undefined) return errorsAt(name, [unknownRing(ring, names)]);
    const quoted = names.map((one) => `'${one}'`).join(', ');
    return rings.length === 0 ? [] : errorsAt(name, [PLATFORM_FINDINGS.ringMissing({ cluster: name, rings: quoted })]);
  });
}

function isRing(ring: unknown): ring is Ring {
  if (!isObject(ring)) return false;
  const { name, revision, path } = ring as Readonly<Record<keyof Ring, unknown>>;
  return typeof name === 'string' && [revision ?? '', path ?? ''].every((text) => typeof text === 'string');
}

/** The same ring, where what is null counts as left out, as code without types may have it. */
function withoutNull(ring: Ring): Ring {
  return Object.fromEntries(Object.entries(ring).filter(([, value]) => value !== null)) as unknown as Ring;
}

function noRing(field: string, value: unknown): Problem {
  const expected = 'a list of rings, each its name or a map with its name';
  const example = "rings: ['canary', { name: 'rest', revision: 'ring/rest' }], the first ones first";
  return PLATFORM_FINDINGS.argumentRefused({ name: field, value: showValue(value), expected, example });
}

/** The problem that the platform has no such ring. */
export function unknownRing(ring: unknown, names: readonly string[]): Problem {
  return PLATFORM_FINDINGS.ringUnknown({
    ring: showValue(ring),
    rings: names.join(', ') || 'none',
    suggestion: typeof ring === 'string' ? suggestion(ring, names) : '',
  });
}
