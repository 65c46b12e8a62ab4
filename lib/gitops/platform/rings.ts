import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { suggest } from '#base/suggest';
import { showValue } from '#base/value-path';
import { apiGroup } from '#kubernetes/objects/scope';
import { unknownKeys } from '#kubernetes/options/known-keys';
import type { Warning } from '../../checks/warnings';
import type { ArgoCdOptions } from '../argocd/argocd-objects';
import { RING, type Ring } from '../argocd/ring';
import { checkRingHealth } from '../argocd/ring-health';
import type { ClusterDefinition } from '../synth/build-cluster';
import type { ClusterInventory } from '../synth/inventory';
import { PLATFORM_FINDINGS } from './findings';

/** The rings of a platform as given: by name, or with their own settings. */
export type GivenRings<Name extends string = string> = readonly (Name | Ring<Name>)[];

/** Returns the valid rings; `checkGivenRings` reports the others. */
export function ringsOf(given: GivenRings = []): readonly Ring[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((ring: string | Ring) => {
    if (typeof ring === 'string') return [{ name: ring }];
    return isRing(ring) ? [withoutNull(ring)] : [];
  });
}

/** Reports invalid rings, which untyped code may pass. */
export function checkGivenRings(given: unknown = []): readonly Problem[] {
  if (!Array.isArray(given)) return [noRing('rings', given)];
  return given.flatMap((ring, index) => {
    if (typeof ring === 'string') return [];
    if (!isRing(ring)) return [noRing(`rings[${index}]`, ring)];
    return [
      ...unknownKeys<Ring>(RING, ring, `rings[${index}]`),
      ...(ring.health == null ? [] : checkRingHealth(ring.name, withoutNull(ring.health))),
    ];
  });
}

/** Checks that each cluster is in an existing ring, or in none if the platform has no rings. */
export function checkClusterRings(clusters: readonly ClusterDefinition[], rings: readonly Ring[]): readonly Finding[] {
  const names = rings.map(({ name }) => name);
  const known = new Set(names);
  return clusters.flatMap(({ name, props: { ring } }) => {
    if (ring !== undefined && known.has(ring)) return [];
    if (ring !== undefined) return findingsAt(name, [unknownRing(ring, names)]);
    const quoted = names.map((one) => `'${one}'`).join(', ');
    return rings.length === 0
      ? []
      : findingsAt(name, [PLATFORM_FINDINGS.ringMissing({ cluster: name, rings: quoted })]);
  });
}

function isRing(ring: unknown): ring is Ring {
  if (!isObject(ring)) return false;
  const { name, revision, path, health } = ring as Readonly<Record<keyof Ring, unknown>>;
  const isRead = health === undefined || health === null || isObject(health);
  return typeof name === 'string' && isRead && [revision ?? '', path ?? ''].every((text) => typeof text === 'string');
}

/** Untyped code may pass null members. */
function withoutNull<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as T;
}

function noRing(field: string, value: unknown): Problem {
  const expected = 'a list of rings, each a name or a map with a name';
  const example = "rings: ['canary', { name: 'rest', revision: 'ring/rest' }], in the order of changes";
  return PLATFORM_FINDINGS.argumentRefused({ name: field, value: showValue(value), expected, example });
}

/** Reports an unknown ring. */
export function unknownRing(ring: unknown, names: readonly string[]): Problem {
  return PLATFORM_FINDINGS.ringUnknown({
    ring: showValue(ring),
    rings: names.join(', '),
    similar: typeof ring === 'string' ? suggest(ring, names)[0] : undefined,
  });
}

/** A Link is named after its target cluster: `linkerd multicluster link --cluster-name`. */
const LINK = { group: 'multicluster.linkerd.io', kind: 'Link' };

/** Returns the names of the clusters to which a cluster has links. */
export function linksIn({ folders }: ClusterInventory): readonly string[] {
  return folders
    .flatMap(({ objects }) => objects)
    .filter(({ apiVersion, kind }) => kind === LINK.kind && apiGroup(apiVersion) === LINK.group)
    .map(({ name }) => name);
}

/** Warns about rings without separation: a change would reach all of them at once. */
export function checkApart(rings: readonly Ring[], { fleet, strategy }: ArgoCdOptions): readonly Warning[] {
  const isRolling = fleet !== undefined && strategy?.type === 'RollingSync';
  const kinds = new Set(rings.map(({ revision, path, release }) => JSON.stringify([revision, path, nameOf(release)])));
  if (rings.length < 2 || isRolling || kinds.size > 1) return [];
  return [PLATFORM_FINDINGS.ringsNotStaged({ rings: rings.map(({ name }) => name).join(', ') })];
}

function nameOf(release: Ring['release']): string | undefined {
  return typeof release === 'object' ? release?.version : release;
}
