import { differentMembers } from '#base/same-value';
import { isMap, type Value, type Values, valueAt } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { ClusterChanges } from '../changes';
import { type Consequence, consequence } from './catalogue';
import { grantChanges, specOf } from './compared';

/** Returns the consequences of changes in the objects with which Argo CD deploys all clusters. */
export function ofPlatform({ added, removed, changed }: ClusterChanges): readonly Consequence[] {
  return [
    ...added.flatMap((object) => [...ofApplications(object, 'added'), ...ofProject(undefined, object)]),
    ...removed.flatMap((object) => ofApplications(object, 'removed')),
    ...changed.flatMap(({ before, after }) => [...ofProject(before, after), ...ofSet(before, after)]),
  ];
}

function ofApplications(object: KubernetesObject, change: 'added' | 'removed'): readonly Consequence[] {
  if (!isSet(object)) return [];
  const detail = { code: 'argocd-applications-changed', object: describeObject(object), change } as const;
  return [consequence(detail, change === 'added' ? 'info' : 'warning')];
}

function isSet({ kind }: KubernetesObject): boolean {
  return kind === 'ApplicationSet' || kind === 'Application';
}

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
  const [allowed, forbidden] = [ALLOWED, FORBIDDEN].map((fields) =>
    grantChanges(grantsIn(specOf(before), fields), grantsIn(specOf(after), fields)),
  );
  const gained =
    before === undefined
      ? []
      : [...(allowed?.gained ?? []), ...(forbidden?.lost ?? []).map((grant) => `no longer ${grant}`)];
  const lost = [...(allowed?.lost ?? []), ...(forbidden?.gained ?? [])];
  if (gained.length + lost.length === 0) return [];
  const detail = { code: 'argocd-project-changed', object: describeObject(after), gained, lost } as const;
  return [consequence(detail, gained.length === 0 ? 'info' : 'warning')];
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

const SOURCE = ['repoURL', 'targetRevision', 'path'];

function ofSet(before: KubernetesObject, after: KubernetesObject): readonly Consequence[] {
  if (!isSet(after)) return [];
  const object = describeObject(after);
  const [old, next] = [before, after].map(sourceOf);
  const fields = differentMembers(withoutSource(before), withoutSource(after));
  return [
    ...(old === next || old === undefined || next === undefined
      ? []
      : [consequence({ code: 'argocd-source-changed', object, before: old, after: next })]),
    ...(fields.length === 0 ? [] : [consequence({ code: 'argocd-sync-changed', object, fields })]),
  ];
}

function sourceOf(set: KubernetesObject): string {
  const spec = specOf(set);
  const source = valueAt(spec, 'template.spec.source') ?? valueAt(spec, 'source');
  return isMap(source) ? SOURCE.map((field) => source[field] ?? '').join(' ') : '';
}

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
