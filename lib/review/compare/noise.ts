import { canonicalJson } from '#base/canonical-json';
import type { Value } from '#base/values';
import { SYNC_OPTIONS } from '#kubernetes/objects/argocd-annotations';
import { CREATED_BY, PROXY_VERSION_INJECTED } from '#linkerd/annotations';
import type { FieldChange } from './field-changes';

/** These contain a release, or are derived from other fields. */
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
 * Whether a change is one that every release brings: version labels, image tags, and release names in strings. These
 * restart pods, but are not worth reading one by one.
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

/** The port of a registry is followed by a slash. */
function withoutTag(image: string): string {
  return image.replace(/[:@][^/]*$/, '');
}

function isTag(path: string, before: Value, after: Value): boolean {
  return /\bimage\.(?:version|tag)$/.test(path) && typeof before === 'string' && typeof after === 'string';
}
