import { authorizedClients } from '../../../constructs/policy/clients-of';
import { differentMembers, isSameValue } from '../../../gitops/changes/same-value';
import { describeObject, type KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { matchesSelector } from '../../../kubernetes/label-selector';
import { apiGroup } from '../../../kubernetes/scope';
import { isMap, type Value, type Values } from '../../../kubernetes/values';
import type { Severity } from '../severity';
import type { ComparedCluster } from './compared';
import type { Consequence } from './consequence';
import { grantChanges } from './grants';
import { defaultPolicyOf } from './mesh-values';
import { isWorkload, podMetadata } from './workloads';

/** The consequences for what may be done: by clients in the mesh, by users of the API, and by who creates objects. */
export function ofAccess(cluster: ComparedCluster): readonly Consequence[] {
  const { changed, added, removed } = cluster.changes;
  const pairs: readonly Pair[] = [
    ...changed,
    ...added.map((after) => ({ before: undefined, after })),
    ...removed.map((before) => ({ before, after: undefined })),
  ];
  return [...ofClients(pairs, cluster), ...pairs.flatMap((pair) => ofPair(pair))];
}

/** Kinds that say which clients may reach a server. */
const TRAFFIC: readonly string[] = [
  'AuthorizationPolicy',
  'GRPCRoute',
  'HTTPRoute',
  'MeshTLSAuthentication',
  'NetworkAuthentication',
  'Server',
  'ServerAuthorization',
];

/** The clients that gain or lose access, of all objects together; where none does, the objects that differ. */
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
    ...elsewhere.map((of) => ({ code: 'server-unknown', severity: 'warning', object: describeObject(of) }) as const),
    ...(found.length > 0
      ? []
      : guards
          .filter((of) => !elsewhere.includes(of))
          .map((of) => ({ code: 'traffic-policy-changed', severity: 'info', object: describeObject(of) }) as const)),
  ];
}

/** Tells authorizations of a Server that another repository, or a chart, brings. */
function isOfUnknownServer({ kind, metadata, spec }: KubernetesObject, servers: ReadonlySet<string>): boolean {
  const target = isMap(spec as Value) ? (spec as Values).targetRef : undefined;
  if (kind !== 'AuthorizationPolicy' || !isMap(target) || target.kind !== 'Server') return false;
  return !servers.has(`${metadata.namespace ?? 'default'}/${target.name}`);
}

function isGuard({ apiVersion, kind }: KubernetesObject): boolean {
  return ['policy.linkerd.io', 'gateway.networking.k8s.io'].includes(apiGroup(apiVersion)) && TRAFFIC.includes(kind);
}

interface ServerClients {
  readonly old: readonly string[] | undefined;
  readonly next: readonly string[] | undefined;
}

/** A Server that comes or goes stands for the default policy on the other side. */
function ofServer(server: string, { old, next }: ServerClients, cluster: ComparedCluster): readonly Consequence[] {
  if (old === undefined) {
    const severity = isOfNewPods(server, cluster) ? 'info' : severityOfNew(server, next ?? [], cluster);
    return [{ code: 'server-added', severity, server, clients: next ?? [] }];
  }
  if (next === undefined) {
    const policy = defaultPolicyOf(cluster, 'after', namespaceOf(server));
    const isSame = policy === 'deny' ? old.length === 0 : isAnyone(old);
    const severity = isSame ? 'info' : policy === 'deny' ? 'breaks-traffic' : 'opens-access';
    return [{ code: 'server-removed', severity, server, clients: old, policy }];
  }
  const { gained, lost } = grantChanges(old, next);
  return [
    ...(lost.length === 0
      ? []
      : [{ code: 'clients-lost', severity: 'breaks-traffic', server, clients: lost } as const]),
    ...(gained.length === 0
      ? []
      : [{ code: 'clients-gained', severity: 'opens-access', server, clients: gained } as const]),
  ];
}

function severityOfNew(server: string, clients: readonly string[], cluster: ComparedCluster): Severity {
  if (defaultPolicyOf(cluster, 'before', namespaceOf(server)) === 'deny')
    return clients.length === 0 ? 'info' : 'opens-access';
  return isAnyone(clients) ? 'info' : 'breaks-traffic';
}

/** Tells a Server of pods that all come with the same change: nobody reaches them yet. */
function isOfNewPods(name: string, { objects, objectsBefore }: ComparedCluster): boolean {
  const server = objects().find(
    ({ kind, metadata }) => kind === 'Server' && `${metadata.namespace}/${metadata.name}` === name,
  );
  const spec = server?.spec as Value | undefined;
  const selector = isMap(spec) ? spec.podSelector : undefined;
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

interface Pair {
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject | undefined;
}

function ofPair(pair: Pair): readonly Consequence[] {
  const of = pair.after ?? pair.before;
  if (of === undefined) return [];
  const object = describeObject(of);
  const group = apiGroup(of.apiVersion);
  if (group === 'rbac.authorization.k8s.io') return ofGrants(object, pair);
  if (group === 'policy.linkerd.io') return ofOtherPolicy(of, object, pair);
  if (group !== 'admissionregistration.k8s.io') return [];
  return of.kind.endsWith('WebhookConfiguration') ? ofWebhooks(object, pair) : ofAdmission(object, pair);
}

/** The policies of Linkerd that are about other things than who reaches a server. */
function ofOtherPolicy({ kind }: KubernetesObject, object: string, { before, after }: Pair): readonly Consequence[] {
  const fields = differentMembers(before?.spec, after?.spec);
  if (fields.length === 0) return [];
  if (kind === 'HTTPLocalRateLimitPolicy') return [{ code: 'rate-limit-changed', severity: 'warning', object, fields }];
  if (kind !== 'EgressNetwork') return [];
  const [old, next] = [trafficPolicyOf(before), trafficPolicyOf(after)];
  const severity = next === 'Deny' ? 'breaks-traffic' : old === 'Deny' ? 'opens-access' : 'warning';
  return [{ code: 'egress-policy-changed', severity, object, before: old, after: next }];
}

function trafficPolicyOf(network: KubernetesObject | undefined): string {
  const spec = network?.spec as Value | undefined;
  return isMap(spec) ? String(spec.trafficPolicy) : 'none';
}

/** The effect of a policy for admission: which actions its bindings take, and whether its expressions are others. */
function ofAdmission(object: string, { before, after }: Pair): readonly Consequence[] {
  const [old, next] = [before, after].map((of) => (of === undefined ? 'none' : actionsOf(of)));
  if (old === undefined || next === undefined) return [];
  if (isSameValue(before?.spec as Value, after?.spec as Value)) return [];
  return [{ code: 'admission-policy-changed', severity: 'warning', object, before: old, after: next }];
}

function actionsOf({ spec }: KubernetesObject): string {
  const { validationActions, failurePolicy = 'Fail' } = isMap(spec) ? (spec as Values) : {};
  return Array.isArray(validationActions) ? validationActions.join(', ') : `failurePolicy ${failurePolicy}`;
}

function ofWebhooks(object: string, { before, after }: Pair): readonly Consequence[] {
  const [old, next] = [webhooksIn(before), webhooksIn(after)];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((webhook): readonly Consequence[] => {
    const [was, is] = [old.get(webhook), next.get(webhook)];
    if (is === undefined) return [{ code: 'webhook-removed', severity: 'warning', object, webhook }];
    if (was === undefined) {
      return [{ code: 'webhook-added', severity: 'warning', object, webhook, failurePolicy: policyOf(is) }];
    }
    const fields = SCOPE.filter((field) => !isSameValue(was[field], is[field]));
    return [
      ...(policyOf(was) === policyOf(is)
        ? []
        : [
            {
              code: 'webhook-failure-policy-changed',
              severity: 'warning',
              object,
              webhook,
              before: policyOf(was),
              after: policyOf(is),
            } as const,
          ]),
      ...(fields.length === 0
        ? []
        : [{ code: 'webhook-scope-changed', severity: 'warning', object, webhook, fields } as const]),
    ];
  });
}

/** Fields that say which requests a webhook is asked about. */
const SCOPE: readonly string[] = ['namespaceSelector', 'objectSelector', 'rules', 'matchConditions', 'matchPolicy'];

function webhooksIn(object: KubernetesObject | undefined): ReadonlyMap<string, Values> {
  const list = Array.isArray(object?.webhooks) ? (object.webhooks as readonly Value[]) : [];
  return new Map(list.flatMap((webhook) => (isMap(webhook) ? [[String(webhook.name), webhook] as const] : [])));
}

/** `Fail` is what the API server takes where nothing is said. */
function policyOf({ failurePolicy = 'Fail' }: Values): string {
  return String(failurePolicy);
}

function ofGrants(object: string, { before, after }: Pair): readonly Consequence[] {
  const { gained, lost } = grantChanges(grantsOf(before), grantsOf(after));
  return [
    ...(gained.length === 0 ? [] : [{ code: 'rbac-widened', severity: 'warning', object, grants: gained } as const]),
    ...(lost.length === 0 ? [] : [{ code: 'rbac-narrowed', severity: 'info', object, grants: lost } as const]),
  ];
}

/** All that a role allows, or to whom a binding gives which role, each grant as a text: `get secrets (kube) a`. */
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
