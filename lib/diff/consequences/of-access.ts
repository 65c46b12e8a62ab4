import { isSameValue } from '../../compare/same-value';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { apiGroup } from '../../kubernetes/scope';
import { authorizedClients } from '../../policy/clients-of';
import { isMap, type Value, type Values } from '../../releases/values';
import type { ComparedCluster } from './compared';
import type { Consequence } from './consequence';
import { grantChanges } from './grants';

/** The consequences for what may be done: by clients in the mesh, by users of the API, and by who creates objects. */
export function ofAccess(
  cluster: Pick<ComparedCluster, 'changes' | 'objects' | 'objectsBefore'>,
): readonly Consequence[] {
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
function ofClients(
  pairs: readonly Pair[],
  { objects, objectsBefore }: Pick<ComparedCluster, 'objects' | 'objectsBefore'>,
): readonly Consequence[] {
  const guards = pairs.flatMap(({ before, after }) => {
    const of = after ?? before;
    const isSame = isSameValue(before?.spec as Value, after?.spec as Value);
    return of !== undefined && isGuard(of) && !isSame ? [of] : [];
  });
  if (guards.length === 0) return [];
  const [old, next] = [authorizedClients(objectsBefore()), authorizedClients(objects())];
  const found = [...new Set([...old.keys(), ...next.keys()])].sort().flatMap((server) => {
    return ofServer(server, old.get(server), next.get(server));
  });
  if (found.length > 0) return found;
  return guards.map((of) => ({ code: 'traffic-policy-changed', severity: 'info', object: describeObject(of) }));
}

function isGuard({ apiVersion, kind }: KubernetesObject): boolean {
  return ['policy.linkerd.io', 'gateway.networking.k8s.io'].includes(apiGroup(apiVersion)) && TRAFFIC.includes(kind);
}

function ofServer(
  server: string,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): readonly Consequence[] {
  if (before === undefined) return [{ code: 'server-added', severity: 'warning', server, clients: after ?? [] }];
  if (after === undefined) return [{ code: 'server-removed', severity: 'warning', server, clients: before }];
  const { gained, lost } = grantChanges(before, after);
  return [
    ...(gained.length === 0 ? [] : [{ code: 'clients-gained', severity: 'warning', server, clients: gained } as const]),
    ...(lost.length === 0 ? [] : [{ code: 'clients-lost', severity: 'warning', server, clients: lost } as const]),
  ];
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
  if (group !== 'admissionregistration.k8s.io') return [];
  return of.kind.endsWith('WebhookConfiguration') ? ofWebhooks(object, pair) : ofAdmission(object, pair);
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
