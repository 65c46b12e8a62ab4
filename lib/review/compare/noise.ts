import { canonicalJson } from '#base/canonical-json';
import type { Value } from '#base/values';
import { SYNC_OPTIONS } from '#kubernetes/objects/argocd-annotations';
import { CREATED_BY, PROXY_VERSION_INJECTED } from '#linkerd/annotations';
import type { FieldChange } from './field-changes';

/** Labels and annotations that contain a release, or are derived from other fields. */
const VERSION_KEYS: readonly string[] = [
  'app.kubernetes.io/version',
  'argocd.argoproj.io/sync-wave',
  'checksum/config',
  'helm.sh/chart',
  CREATED_BY,
  PROXY_VERSION_INJECTED,
];

/** Options with which Argo CD keeps removed objects: adding or removing them is not noise. */
const KEPT = /\b(?:Prune|Delete)=/;

const RELEASE = /\b(?:edge-\d+\.\d+\.\d+|stable-2\.\d+\.\d+)\b/g;

/**
 * Whether every release has this change: version labels, image tags, and release names in strings. These changes
 * restart pods, but need no review one by one.
 */
export function isNoise({ path, before, after }: FieldChange): boolean {
  if (VERSION_KEYS.some((key) => path.endsWith(`s.${key}`))) return true;
  if (path.endsWith(`s.${SYNC_OPTIONS}`)) return ![before, after].some((options) => KEPT.test(String(options)));
  if (before === undefined || after === undefined) return false;
  const [old, next] = [withoutRelease(before), withoutRelease(after)];
  return (
    old === next || (path.endsWith('.image') && withoutTag(old) === withoutTag(next)) || isTag(path, before, after)
  );
}

function withoutRelease(value: Value): string {
  return canonicalJson(value).replace(RELEASE, '…');
}

/** Keeps the port of a registry: a slash follows it. */
function withoutTag(image: string): string {
  return image.replace(/[:@][^/]*$/, '');
}

function isTag(path: string, before: Value, after: Value): boolean {
  return /\bimage\.(?:version|tag)$/.test(path) && typeof before === 'string' && typeof after === 'string';
}
