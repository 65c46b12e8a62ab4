import { isSameValue } from '../../../gitops/changes/same-value';
import { describeObject, type KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { isMap, type Value, type Values, valueAt } from '../../../kubernetes/values';
import type { ClusterChanges } from '../changes';
import type { Consequence } from './consequence';
import { grantChanges } from './grants';

/** The consequences of changes in the objects by which Argo CD deploys all clusters. */
export function ofPlatform({ added, removed, changed }: ClusterChanges): readonly Consequence[] {
  return [
    ...added.flatMap((object) => [
      ...named(object, 'argocd-applications-added', 'info'),
      ...ofProject(undefined, object),
    ]),
    ...removed.flatMap((object) => named(object, 'argocd-applications-removed', 'warning')),
    ...changed.flatMap(({ before, after }) => [...ofProject(before, after), ...ofSet(before, after)]),
  ];
}

function named(
  object: KubernetesObject,
  code: 'argocd-applications-added' | 'argocd-applications-removed',
  severity: Consequence['severity'],
): readonly Consequence[] {
  return isSet(object) ? [{ code, severity, object: describeObject(object) }] : [];
}

function isSet({ kind }: KubernetesObject): boolean {
  return kind === 'ApplicationSet' || kind === 'Application';
}

/** Fields of a project that allow something, and those that forbid it. */
const ALLOWED = [
  'sourceRepos',
  'destinations',
  'clusterResourceWhitelist',
  'namespaceResourceWhitelist',
  'roles',
  'sourceNamespaces',
];
const FORBIDDEN = ['clusterResourceBlacklist', 'namespaceResourceBlacklist'];

function ofProject(before: KubernetesObject | undefined, after: KubernetesObject): readonly Consequence[] {
  if (after.kind !== 'AppProject') return [];
  const [old, next] = [before?.spec, after.spec].map((spec) => (isMap(spec) ? (spec as Values) : {}));
  const [allowed, forbidden] = [ALLOWED, FORBIDDEN].map((fields) =>
    grantChanges(grantsIn(old ?? {}, fields), grantsIn(next ?? {}, fields)),
  );
  const gained = [...(allowed?.gained ?? []), ...(forbidden?.lost ?? []).map((grant) => `no longer ${grant}`)];
  const lost = [...(allowed?.lost ?? []), ...(forbidden?.gained ?? [])];
  const object = describeObject(after);
  return [
    ...(gained.length === 0 || before === undefined
      ? []
      : [{ code: 'argocd-project-widened', severity: 'warning', object, grants: gained } as const]),
    ...(lost.length === 0
      ? []
      : [{ code: 'argocd-project-narrowed', severity: 'info', object, grants: lost } as const]),
  ];
}

function grantsIn(spec: Values, fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => {
    const list = spec[field];
    return Array.isArray(list) ? list.map((item: Value) => `${field}: ${grantText(item)}`) : [];
  });
}

function grantText(item: Value): string {
  if (!isMap(item)) return String(item);
  return Object.entries(item)
    .map(([key, value]) => `${key} ${typeof value === 'string' ? value || '""' : JSON.stringify(value)}`)
    .join(', ');
}

/** Fields of a template that say from where Argo CD takes manifests. */
const SOURCE = ['repoURL', 'targetRevision', 'path'];

function ofSet(before: KubernetesObject, after: KubernetesObject): readonly Consequence[] {
  if (!isSet(after)) return [];
  const object = describeObject(after);
  const [old, next] = [before, after].map(sourceOf);
  const [was, is] = [before, after].map(withoutSource);
  const fields = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])].filter(
    (key) => !isSameValue(was?.[key], is?.[key]),
  );
  return [
    ...(old === next || old === undefined || next === undefined
      ? []
      : [{ code: 'argocd-source-changed', severity: 'warning', object, before: old, after: next } as const]),
    ...(fields.length === 0 ? [] : [{ code: 'argocd-sync-changed', severity: 'warning', object, fields } as const]),
  ];
}

function sourceOf(set: KubernetesObject): string {
  const spec = specOf(set);
  const source = valueAt(spec, 'template.spec.source') ?? valueAt(spec, 'source');
  return isMap(source) ? SOURCE.map((field) => source[field] ?? '').join(' ') : '';
}

/** The spec with the members of its template side by side with its own, and without the source. */
function withoutSource(set: KubernetesObject): Values {
  const { template, source: _, ...others } = specOf(set);
  const { spec, metadata } = isMap(template) ? template : {};
  const { source, ...rest } = isMap(spec) ? spec : {};
  const { repoURL, targetRevision, path, ...ofSource } = isMap(source) ? source : {};
  return {
    ...others,
    ...(metadata === undefined ? {} : { 'template.metadata': metadata }),
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [`template.spec.${key}`, value])),
    ...(Object.keys(ofSource).length === 0 ? {} : { 'template.spec.source': ofSource }),
  };
}

function specOf({ spec }: KubernetesObject): Values {
  return isMap(spec) ? (spec as Values) : {};
}
