import { errorsAt, type Finding } from '../../kubernetes/findings/finding';
import type { Problem } from '../../kubernetes/findings/problem';
import { unknownKeys } from '../../kubernetes/known-keys';
import { isObject } from '../../kubernetes/select-fields';
import { suggest } from '../../kubernetes/suggest';
import { showValue } from '../../kubernetes/value-path';
import { RING, type Ring } from '../argocd/ring';
import type { ClusterDefinition } from '../synth/build-cluster';

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
    if (rings.length === 0) return ring === undefined ? [] : errorsAt(name, [noRings(name, ring)]);
    return errorsAt(name, [ring === undefined ? ringless(name, names) : unknownRing(name, { ring, names })]);
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
  return {
    code: 'ring-refused',
    what: `${field} is ${showValue(value)}`,
    why: 'It says neither which rings there are, nor in which order a change reaches them',
    fix: "give a list of rings, the first ones first: ['canary', { name: 'rest', revision: 'ring/rest' }]",
  };
}

function noRings(cluster: string, ring: string): Problem {
  return {
    code: 'rings-undeclared',
    what: `The cluster ${cluster} is in the ring ${showValue(ring)}, and the platform has no rings`,
    why: 'The order in which rings take a change is that of rings of the Platform',
    fix: "list them: new Platform({ …, rings: ['canary', 'rest'] })",
  };
}

function ringless(cluster: string, names: readonly string[]): Problem {
  return {
    code: 'ring-missing',
    what: `The cluster ${cluster} is in no ring`,
    why: 'It would take a change together with which clusters nobody has said',
    fix: `give it one of ${names.map((name) => `'${name}'`).join(', ')}`,
  };
}

function unknownRing(
  cluster: string,
  { ring, names }: { readonly ring: unknown; readonly names: readonly string[] },
): Problem {
  const [similar] = typeof ring === 'string' ? suggest(ring, names) : [];
  return {
    code: 'ring-unknown',
    what: `The cluster ${cluster} is in the ring ${showValue(ring)}, which there is not`,
    why: `The platform has ${names.join(', ')}`,
    fix: similar === undefined ? 'name one of these' : `did you mean "${similar}"?`,
  };
}
