import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkPolicies } from '#lib/checks/policy/check-policies';

const GROUP = 'policy.linkerd.io';

/**
 * Returns the codes of the findings in objects, each with its object. Omits findings about open paths of probes, which
 * separate tests cover.
 */
export function codesIn(...objects: KubernetesObject[]): readonly string[] {
  const findings = findingsIn(...objects).filter(({ problem }) => problem.code !== 'probe-paths-open');
  return findings.map(({ path, problem }) => `${path}: ${problem.code}`);
}

/** Returns the findings in objects, with their kinds and names as paths. */
export function findingsIn(...objects: KubernetesObject[]) {
  return checkPolicies(
    objects.map((object, construct) => ({
      object,
      construct,
      path: `${object.kind} ${object.metadata.name}`,
      home: 'shop',
    })),
  );
}

/** The namespace shop, in which all pods are meshed. */
export const SHOP = namespace('shop');

export function namespace(name: string, annotations: Record<string, string> = {}): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, annotations: { 'linkerd.io/inject': 'enabled', ...annotations } },
  };
}

/** The namespace shop with a default inbound policy. */
export function shopWith(policy: string): KubernetesObject {
  return namespace('shop', { 'config.linkerd.io/default-inbound-policy': policy });
}

/** A Deployment. `container` and `template` override the defaults. */
export function workload(name: string, container: object = {}, template: Partial<Template> = {}): KubernetesObject {
  const { labels = {}, annotations = {}, account = name, namespace = 'shop', ...spec } = template;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name, ...labels }, annotations },
        spec: {
          serviceAccountName: account,
          containers: [{ name: 'main', ports: [{ name: 'http', containerPort: 8080 }], ...container }],
          ...spec,
        },
      },
    },
  };
}

interface Template {
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  readonly account: string;
  readonly namespace: string;
  readonly hostNetwork: boolean;
}

export function server(name: string, spec: object = {}, namespace = 'shop'): KubernetesObject {
  return {
    apiVersion: `${GROUP}/v1beta3`,
    kind: 'Server',
    metadata: { name, namespace },
    spec: { podSelector: { matchLabels: { app: 'api' } }, port: 'http', ...spec },
  };
}

export function route(name: string, matches: readonly object[], of = 'api', kind = 'HTTPRoute'): KubernetesObject {
  return {
    apiVersion: kind === 'HTTPRoute' ? `${GROUP}/v1beta3` : 'gateway.networking.k8s.io/v1',
    kind,
    metadata: { name, namespace: 'shop' },
    spec: { parentRefs: [{ group: GROUP, kind: 'Server', name: of }], rules: [{ matches }] },
  };
}

export const exact = (value: string, method?: string) => ({
  path: { type: 'Exact', value },
  ...(method && { method }),
});

/** An authorization of all clients for a target, with its authentication. */
export function everybody(name: string, target: { kind: string; name: string }): readonly KubernetesObject[] {
  return [
    {
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'NetworkAuthentication',
      metadata: { name, namespace: 'shop' },
      spec: { networks: [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }] },
    },
    authorization(name, target, { group: GROUP, kind: 'NetworkAuthentication', name }),
  ];
}

/** An authorization of a ServiceAccount for a target. */
export function account(name: string, target: { kind: string; name: string }, namespace = 'shop'): KubernetesObject {
  return authorization(name, target, { kind: 'ServiceAccount', name, namespace });
}

function authorization(name: string, target: { kind: string; name: string }, client: object): KubernetesObject {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'AuthorizationPolicy',
    metadata: { name, namespace: 'shop' },
    spec: { targetRef: { group: GROUP, ...target }, requiredAuthenticationRefs: [client] },
  };
}

export const API = { kind: 'Server', name: 'api' };
