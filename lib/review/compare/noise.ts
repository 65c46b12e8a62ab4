import { orderedText } from '../../gitops/changes/same-value';
import type { Value } from '../../kubernetes/values';
import { CREATED_BY, PROXY_VERSION_INJECTED } from '../../linkerd/annotations';
import type { FieldChange } from './field-changes';

/** Names of labels and annotations that say which release something is of, or follow from other fields. */
const VERSION_KEYS: readonly string[] = [
  'app.kubernetes.io/version',
  'argocd.argoproj.io/sync-wave',
  'checksum/config',
  'helm.sh/chart',
  CREATED_BY,
  PROXY_VERSION_INJECTED,
];

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
/** Options by which Argo CD keeps what is gone: no noise when they come or go. */
const KEPT = /\b(?:Prune|Delete)=/;

/** The names of releases, which many fields have in their texts. */
const RELEASE = /\b(?:edge-\d+\.\d+\.\d+|stable-2\.\d+\.\d+)\b/g;

/**
 * Tells changes that every other release brings: of version labels, of the tags of images and of release names in texts.
 * They restart pods, and nobody reads them one by one.
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
  return orderedText(value).replace(RELEASE, '…');
}

/** An image without what stands after its name; a port of a registry is followed by a slash. */
function withoutTag(image: string): string {
  return image.replace(/[:@][^/]*$/, '');
}

/** Tells the tag of an image that values name apart. */
function isTag(path: string, before: Value, after: Value): boolean {
  return /\bimage\.(?:version|tag)$/.test(path) && typeof before === 'string' && typeof after === 'string';
}
