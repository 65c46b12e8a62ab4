import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { isObject } from '#base/is-object';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { withoutDescriptions } from '../import/fingerprint';

type Members = Readonly<Record<string, unknown>>;

/** Annotations that differ between tools or between renders, and have no effect. */
const IGNORED_ANNOTATION = /^(?:linkerd\.io\/created-by|checksum\/config|helm\.sh\/hook.*)$/;

/** Returns a key that is unique among the objects of a render. */
export function objectKey({ apiVersion, kind, metadata }: KubernetesObject): string {
  return [apiVersion, kind, metadata.namespace ?? '', metadata.name].join('/');
}

/**
 * Returns an object as comparable data: without nulls and ignored annotations, with sorted keys, and with the YAML in
 * the ConfigMaps `linkerd-config` and `prometheus-config` parsed. The CRD of Link has no descriptions.
 */
export function canonicalObject(object: KubernetesObject): Members {
  if (UNDESCRIBED.has(object.metadata.name)) return sortedMap(withoutDescriptions(object) as Members);
  const key = PARSED.find(({ name }) => object.kind === 'ConfigMap' && object.metadata.name === name)?.key;
  return sortedMap(key === undefined ? object : withParsed(object, key));
}

/** Enough of a hash to distinguish objects. */
const FINGERPRINT_LENGTH = 16;

/**
 * Returns the beginning of the SHA-256 of a canonical object. Placeholders replace the release and the version of its
 * chart (20YY.M.N for edge-YY.M.N), so that objects of two releases that differ only in these have the same one.
 */
export function fingerprintOf(object: KubernetesObject, release: string): string {
  const chart = release.replace(/^edge-/, '20');
  return createHash('sha256')
    .update(JSON.stringify(canonicalObject(object)).replaceAll(release, '<release>').replaceAll(chart, '<chart>'))
    .digest('hex')
    .slice(0, FINGERPRINT_LENGTH);
}

const PARSED = [
  { name: 'linkerd-config', key: 'values' },
  { name: 'prometheus-config', key: 'prometheus.yml' },
];

/** CRDs whose schemas are compared without descriptions, because this project does not copy their text. */
const UNDESCRIBED: ReadonlySet<string> = new Set(['links.multicluster.linkerd.io']);

function withParsed(config: KubernetesObject, key: string): KubernetesObject {
  const data = config.data as Readonly<Record<string, string>>;
  return { ...config, data: { ...data, [key]: parse(data[key] ?? '', { version: '1.1' }) } };
}

function canonical(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, ''));
  if (!isObject(value)) return value;
  if (key !== 'annotations') return sortedMap(value);
  const counting = Object.entries(value).filter(([name]) => !IGNORED_ANNOTATION.test(name));
  return counting.length === 0 ? undefined : sortedMap(Object.fromEntries(counting));
}

function sortedMap(map: Members): Members {
  const entries = Object.keys(map)
    .sort()
    .map((key) => [key, canonical(map[key], key)] as const)
    .filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries);
}
