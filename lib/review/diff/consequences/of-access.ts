import { matchesSelector } from '#base/label-selector';
import { differentMembers, isSameValue } from '#base/same-value';
import { isMap, type Value, type Values } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { authorizedClients } from '#lib/constructs/policy/clients-of';
import type { Severity } from '../severity';
import { type Consequence, consequence } from './catalogue';
import { type ComparedCluster, grantChanges, type Pair, specOf } from './compared';
import { defaultPolicyOf } from './mesh-values';
import { ADMISSION, ofAdmission } from './of-admission';
import { isWorkload, podMetadata } from './workloads';

/** Returns the consequences for clients in the mesh, for users of the Kubernetes API, and for admission. */
export function ofAccess(cluster: ComparedCluster): readonly Consequence[] {
  const { changed, added, removed } = cluster.changes;
  const pairs: readonly Pair[] = [
    ...changed,
    ...added.map((after) => ({ before: undefined, after })),
    ...removed.map((before) => ({ before, after: undefined })),
  ];
  return [...ofClients(pairs, cluster), ...ofAdmission(pairs, cluster), ...pairs.flatMap((pair) => ofPair(pair))];
}

const TRAFFIC: readonly string[] = [
  'AuthorizationPolicy',
  'GRPCRoute',
  'HTTPRoute',
  'MeshTLSAuthentication',
  'NetworkAuthentication',
  'Server',
  'ServerAuthorization',
];

/** Compares the allowed clients of all policies together. If they are equal, reports the policies that differ. */
function ofClients(pairs: readonly Pair[], cluster: ComparedCluster): readonly Consequence[] {
  const guards = pairs.flatMap(({ before, after }) => {
    const of = after ?? before;
    const isSame = isSameValue(before?.spec as Value, after?.spec as Value);
    return of !== undefined && isGuard(of) && !isSame ? [of] : [];
  });
  if (guards.length === 0) return [];
  const [old, next] = [authorizedClients(cluster.objectsBefore()), authorizedClients(cluster.objects())];
  const servers = [...new Set([...old.keys(), ...next.keys()])].sort();
  const found = servers.flatMap((server) =>
    ofServer(server, { old: old.get(server), next: next.get(server) }, cluster),
  );
  const elsewhere = guards.filter((of) => isOfUnknownServer(of, new Set(servers)));
  return [
    ...found,
    ...elsewhere.map((of) => consequence({ code: 'server-unknown', object: describeObject(of) })),
    ...(found.length > 0
      ? []
      : guards
          .filter((of) => !elsewhere.includes(of))
          .map((of) => consequence({ code: 'traffic-policy-changed', object: describeObject(of) }))),
  ];
}

function isOfUnknownServer(object: KubernetesObject, servers: ReadonlySet<string>): boolean {
  const { kind, metadata } = object;
  const { targetRef: target } = specOf(object);
  if (kind !== 'AuthorizationPolicy' || !isMap(target) || target.kind !== 'Server') return false;
  return !servers.has(`${metadata.namespace ?? 'default'}/${target.name}`);
}

function isGuard({ apiVersion, kind }: KubernetesObject): boolean {
  return ['policy.linkerd.io', 'gateway.networking.k8s.io'].includes(apiGroup(apiVersion)) && TRAFFIC.includes(kind);
}

type ServerClients = Readonly<Record<'old' | 'next', readonly string[] | undefined>>;

function ofServer(server: string, { old, next }: ServerClients, cluster: ComparedCluster): readonly Consequence[] {
  if (old === undefined) {
    const severity = isOfNewPods(server, cluster) ? 'info' : severityOfNew(server, next ?? [], cluster);
    return [consequence({ code: 'server-added', server, clients: next ?? [] }, severity)];
  }
  if (next === undefined) {
    const policy = defaultPolicyOf(cluster, 'after', namespaceOf(server));
    const isSame = policy === 'deny' ? old.length === 0 : isAnyone(old);
    const severity = isSame ? 'info' : policy === 'deny' ? 'breaks-traffic' : 'opens-access';
    return [consequence({ code: 'server-removed', server, clients: old, policy }, severity)];
  }
  const { gained, lost } = grantChanges(old, next);
  return [
    ...(lost.length === 0 ? [] : [consequence({ code: 'clients-lost', server, clients: lost })]),
    ...(gained.length === 0 ? [] : [consequence({ code: 'clients-gained', server, clients: gained })]),
  ];
}

function severityOfNew(server: string, clients: readonly string[], cluster: ComparedCluster): Severity {
  if (defaultPolicyOf(cluster, 'before', namespaceOf(server)) === 'deny')
    return clients.length === 0 ? 'info' : 'opens-access';
  return isAnyone(clients) ? 'info' : 'breaks-traffic';
}

/** Pods that the same change adds have no clients yet. */
function isOfNewPods(name: string, { objects, objectsBefore }: ComparedCluster): boolean {
  const server = objects().find(
    ({ kind, metadata }) => kind === 'Server' && `${metadata.namespace}/${metadata.name}` === name,
  );
  const { podSelector: selector } = specOf(server);
  const isSelected = (object: KubernetesObject) =>
    isWorkload(object) &&
    object.metadata.namespace === namespaceOf(name) &&
    matchesSelector(selector, podMetadata(object, 'labels') as Readonly<Record<string, string>>);
  return objects().some(isSelected) && !objectsBefore().some(isSelected);
}

function namespaceOf(server: string): string {
  return server.slice(0, server.indexOf('/'));
}

function isAnyone(clients: readonly string[] = []): boolean {
  return clients.some((client) => /^anyone(?: else, audited| from .*\b0\.0\.0\.0\/0\b.*)?$/.test(client));
}

function ofPair(pair: Pair): readonly Consequence[] {
  const of = pair.after ?? pair.before;
  if (of === undefined) return [];
  const object = describeObject(of);
  const group = apiGroup(of.apiVersion);
  if (group === 'rbac.authorization.k8s.io') return ofGrants(object, pair);
  if (group === 'policy.linkerd.io') return ofOtherPolicy(of, object, pair);
  return group === ADMISSION && of.kind.endsWith('WebhookConfiguration') ? ofWebhooks(object, pair) : [];
}

function ofOtherPolicy({ kind }: KubernetesObject, object: string, { before, after }: Pair): readonly Consequence[] {
  const fields = differentMembers(before?.spec, after?.spec);
  if (fields.length === 0) return [];
  if (kind === 'HTTPLocalRateLimitPolicy') return [consequence({ code: 'rate-limit-changed', object, fields })];
  if (kind !== 'EgressNetwork') return [];
  const [old, next] = [trafficPolicyOf(before), trafficPolicyOf(after)];
  const severity = next === 'Deny' ? 'breaks-traffic' : old === 'Deny' ? 'opens-access' : 'warning';
  return [consequence({ code: 'egress-policy-changed', object, before: old, after: next }, severity)];
}

function trafficPolicyOf(network: KubernetesObject | undefined): string {
  return network === undefined ? 'none' : String(specOf(network).trafficPolicy);
}

function ofWebhooks(object: string, { before, after }: Pair): readonly Consequence[] {
  const [old, next] = [webhooksIn(before), webhooksIn(after)];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((webhook): readonly Consequence[] => {
    const [was, is] = [old.get(webhook), next.get(webhook)];
    const fields = was && is ? SCOPE.filter((field) => !isSameValue(was[field], is[field])) : [];
    const policies = {
      ...(was === undefined ? {} : { before: policyOf(was) }),
      ...(is === undefined ? {} : { after: policyOf(is) }),
    };
    if (policies.before === policies.after && fields.length === 0) return [];
    return [consequence({ code: 'webhook-changed', object, webhook, ...policies, fields })];
  });
}

const SCOPE: readonly string[] = ['namespaceSelector', 'objectSelector', 'rules', 'matchConditions', 'matchPolicy'];

function webhooksIn(object: KubernetesObject | undefined): ReadonlyMap<string, Values> {
  const list = Array.isArray(object?.webhooks) ? (object.webhooks as readonly Value[]) : [];
  return new Map(list.flatMap((webhook) => (isMap(webhook) ? [[String(webhook.name), webhook] as const] : [])));
}

/** `Fail` is the API server's default. */
function policyOf({ failurePolicy = 'Fail' }: Values): string {
  return String(failurePolicy);
}

function ofGrants(object: string, { before, after }: Pair): readonly Consequence[] {
  const { gained, lost } = grantChanges(grantsOf(before), grantsOf(after));
  if (gained.length + lost.length === 0) return [];
  return [consequence({ code: 'rbac-changed', object, gained, lost }, gained.length === 0 ? 'info' : 'warning')];
}

/** Returns the grants of a role or binding as text: `get secrets kube`. */
function grantsOf(object: KubernetesObject | undefined): readonly string[] {
  if (object === undefined) return [];
  const { rules, subjects, roleRef, aggregationRule } = object as unknown as Values;
  if (isMap(roleRef))
    return items(subjects).map((subject) => `${subjectText(subject)} has ${roleRef.kind} ${roleRef.name}`);
  return [
    ...items(rules).flatMap(ruleGrants),
    ...(isMap(aggregationRule) ? [`what roles with labels like ${JSON.stringify(aggregationRule)} have`] : []),
  ];
}

function ruleGrants(rule: Values): readonly string[] {
  const names = texts(rule.resourceNames);
  const of = names.length === 0 ? [''] : names.map((name) => ` ${name}`);
  const groups = texts(rule.apiGroups);
  const resources = texts(rule.resources).flatMap((resource) =>
    groups.map((group) => (group === '' ? resource : `${resource}.${group}`)),
  );
  const places = [...resources, ...texts(rule.nonResourceURLs)];
  return texts(rule.verbs).flatMap((verb) => places.flatMap((place) => of.map((name) => `${verb} ${place}${name}`)));
}

function subjectText({ kind, namespace, name }: Values): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

function items(list: Value | undefined): readonly Values[] {
  return Array.isArray(list) ? list.filter((item) => isMap(item)) : [];
}

function texts(list: Value | undefined): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}
