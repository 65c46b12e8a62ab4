import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { table } from './blocks';
import { objectsOf } from './mesh-objects';

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

interface Binding extends KubernetesObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
}

const READING = ['get', 'list', 'watch'];

/** The roles of each service account in a cluster's output, as rows of a table. */
export function permissionsTable(dist: string, cluster: string): string {
  const objects = objectsOf(dist, cluster);
  const roles = new Map(
    objects.filter(({ kind }) => /^(?:Cluster)?Role$/.test(kind)).map((role) => [keyOf(role.kind, role), role]),
  );
  const rows = objects.filter(isBinding).flatMap((binding) => {
    const namespace = binding.kind === 'RoleBinding' ? (binding.metadata.namespace ?? '') : undefined;
    const role = roles.get(
      `${binding.roleRef.kind} ${binding.roleRef.kind === 'Role' ? namespace : ''} ${binding.roleRef.name}`,
    );
    return (binding.subjects ?? []).map((subject) => ({
      account:
        subject.kind === 'ServiceAccount' ? `${subject.namespace}/${subject.name}` : `${subject.kind} ${subject.name}`,
      where: namespace ?? 'cluster',
      rules: role === undefined ? undefined : ((role.rules ?? []) as readonly Rule[]),
      name: binding.roleRef.name,
    }));
  });
  const sorted = rows.sort((a, b) => compare(`${a.account} ${a.where}`, `${b.account} ${b.where}`));
  return table(
    ['who', 'where', 'reads', 'writes'],
    sorted.map(({ account, where, rules, name }) => [
      `\`${account}\``,
      where === 'cluster' ? 'cluster' : `\`${where}\``,
      rules === undefined ? `as Kubernetes' own role \`${name}\`` : cell(rules, isReading),
      rules === undefined ? '—' : cell(rules, (verb) => !isReading(verb)),
    ]),
  );
}

/** The verbs that each account of a cluster has on Secrets. */
export function secretsTable(dist: string, cluster: string): string {
  const rows = objectsOf(dist, cluster)
    .filter(({ kind }) => /^(?:Cluster)?Role$/.test(kind))
    .flatMap((role) =>
      ((role.rules ?? []) as readonly Rule[])
        .filter(({ apiGroups = [], resources = [] }) => hasAny(apiGroups, '') && hasAny(resources, 'secrets'))
        .map(({ verbs, resourceNames }) => [
          `\`${role.metadata.name}\``,
          role.metadata.namespace === undefined ? 'cluster' : `\`${role.metadata.namespace}\``,
          verbs.join(', '),
          resourceNames === undefined ? 'all' : names(resourceNames),
        ]),
    );
  return table(
    ['role', 'where', 'may', 'Secrets'],
    rows.sort((a, b) => compare(a.join(), b.join())),
  );
}

function keyOf(kind: string, { metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace ?? ''} ${metadata.name}`;
}

function isBinding(object: KubernetesObject): object is Binding {
  return /^(?:Cluster)?RoleBinding$/.test(object.kind);
}

function isReading(verb: string): boolean {
  return READING.includes(verb);
}

function hasAny(list: readonly string[], item: string): boolean {
  return list.includes(item) || list.includes('*');
}

function cell(rules: readonly Rule[], isMeant: (verb: string) => boolean): string {
  const parts = rules.flatMap((rule) => {
    const verbs = rule.verbs.filter((verb) => isMeant(verb) || verb === '*');
    if (verbs.length === 0) return [];
    const what = [...resourcesOf(rule), ...(rule.nonResourceURLs ?? [])].map((name) => `${name}${only(rule)}`);
    return what.map((one) => (isMeant('get') ? one : `${one} (${verbs.join(', ')})`));
  });
  return parts.length === 0 ? '—' : [...new Set(parts)].join(', ');
}

function resourcesOf({ apiGroups = [], resources = [] }: Rule): readonly string[] {
  return resources.includes('*') ? [`all of ${apiGroups.join(', ')}`] : resources;
}

function only({ resourceNames }: Rule): string {
  return resourceNames === undefined ? '' : ` ${names(resourceNames)}`;
}

const MAX_NAMES = 3;

function names(all: readonly string[]): string {
  const shown = all.length > MAX_NAMES ? [all[0], '…', all.at(-1)] : all;
  return shown.map((name) => (name === '…' ? name : `\`${name}\``)).join(' ');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
