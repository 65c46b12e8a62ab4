import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { referenceKey } from '#kubernetes/objects/references';
import type { LookupNamespaces } from '#lib/checks/cluster/declared';
import { referencesOf } from '#lib/gitops/synth/references/object-references';

type Fields = Readonly<Record<string, unknown>>;

function object(apiVersion: string, kind: string, fields: Fields, annotations: Record<string, string> = {}) {
  return { apiVersion, kind, metadata: { name: 'it', namespace: 'shop', annotations }, ...fields };
}

function clusterScoped(apiVersion: string, kind: string, fields: Fields) {
  return { apiVersion, kind, metadata: { name: 'it' }, ...fields };
}

/** Returns `field -> Kind namespace/name` of each reference, except to the namespace of the object. */
function found(of: KubernetesObject, lookup?: LookupNamespaces): readonly string[] {
  return referencesOf(of, lookup)
    .filter(({ field }) => field !== 'metadata.namespace')
    .map(({ field, accepts }) => `${field} -> ${accepts.map(referenceKey).join(' | ')}`);
}

describe('the references of pods', () => {
  const POD = {
    serviceAccountName: 'web',
    imagePullSecrets: [{ name: 'pull' }],
    volumes: [
      { secret: { secretName: 'tls' } },
      { secret: { secretName: 'maybe', optional: true } },
      { configMap: { name: 'conf' } },
      {
        projected: {
          sources: [{ secret: { name: 'part' } }, { configMap: { name: 'roots' } }, { serviceAccountToken: {} }],
        },
      },
      { csi: { nodePublishSecretRef: { name: 'csi' } } },
      { emptyDir: {} },
    ],
    initContainers: [
      { envFrom: [{ secretRef: { name: 'init' } }, { configMapRef: { name: 'defaults', optional: true } }] },
    ],
    containers: [
      {
        env: [
          { name: 'A', valueFrom: { secretKeyRef: { name: 'password', key: 'a' } } },
          { name: 'B', valueFrom: { configMapKeyRef: { name: 'settings', key: 'b' } } },
          { name: 'C', valueFrom: { secretKeyRef: { name: 'c', key: 'c', optional: true } } },
          { name: 'D', value: 'd' },
        ],
        envFrom: [{ configMapRef: { name: 'more' } }],
      },
    ],
  };
  const REFERENCES = [
    'serviceAccountName -> ServiceAccount shop/web',
    'volumes[0].secret.secretName -> Secret shop/tls',
    'volumes[2].configMap -> ConfigMap shop/conf',
    'volumes[3].projected.sources[0].secret -> Secret shop/part',
    'volumes[3].projected.sources[1].configMap -> ConfigMap shop/roots',
    'volumes[4].csi.nodePublishSecretRef -> Secret shop/csi',
    'imagePullSecrets[0] -> Secret shop/pull',
    'containers[0].env[0].valueFrom.secretKeyRef -> Secret shop/password',
    'containers[0].env[1].valueFrom.configMapKeyRef -> ConfigMap shop/settings',
    'containers[0].envFrom[0].configMapRef -> ConfigMap shop/more',
    'initContainers[0].envFrom[0].secretRef -> Secret shop/init',
  ];
  const template = { template: { spec: POD } };

  test.each([
    ['v1', 'Pod', { spec: POD }, 'spec'],
    ['v1', 'PodTemplate', template, 'template.spec'],
    ['v1', 'ReplicationController', { spec: template }, 'spec.template.spec'],
    ['apps/v1', 'Deployment', { spec: template }, 'spec.template.spec'],
    ['apps/v1', 'StatefulSet', { spec: template }, 'spec.template.spec'],
    ['apps/v1', 'DaemonSet', { spec: template }, 'spec.template.spec'],
    ['apps/v1', 'ReplicaSet', { spec: template }, 'spec.template.spec'],
    ['argoproj.io/v1alpha1', 'Rollout', { spec: template }, 'spec.template.spec'],
    ['batch/v1', 'Job', { spec: template }, 'spec.template.spec'],
    ['batch/v1', 'CronJob', { spec: { jobTemplate: { spec: template } } }, 'spec.jobTemplate.spec.template.spec'],
  ])('are found in %s %s', (apiVersion, kind, fields, prefix) => {
    const expected = REFERENCES.map((reference) => `${prefix}.${reference}`);
    expect([...found(object(apiVersion, kind, fields))].sort()).toEqual(expected.sort());
  });
});

describe('the references of cert-manager', () => {
  const issuerRef = (ref: object) =>
    found(object('cert-manager.io/v1', 'Certificate', { spec: { secretName: 's', issuerRef: ref } }));

  test.each([
    [{ name: 'a' }, ['spec.issuerRef -> Issuer shop/a']],
    [{ name: 'a', kind: 'Issuer', group: 'cert-manager.io' }, ['spec.issuerRef -> Issuer shop/a']],
    [{ name: 'a', kind: 'ClusterIssuer' }, ['spec.issuerRef -> ClusterIssuer a']],
    [{ name: 'a', kind: 'AWSPCAClusterIssuer', group: 'awspca.cert-manager.io' }, []],
  ])('include the issuer of the issuerRef %j', (ref, expected) => expect(issuerRef(ref)).toEqual(expected));

  test('include the passwords of keystores', () => {
    const keystores = { jks: { create: true, passwordSecretRef: { name: 'jks', key: 'p' } } };
    expect(
      found(object('cert-manager.io/v1', 'Certificate', { spec: { issuerRef: { name: 'a' }, keystores } })),
    ).toContain('spec.keystores.jks.passwordSecretRef -> Secret shop/jks');
  });
});

describe('the references of trust-manager', () => {
  test('include sources of a Bundle by name in the trust namespace, and not by selector', () => {
    const sources = [
      { secret: { name: 'root', key: 'k' } },
      { configMap: { name: 'old', key: 'k' } },
      { secret: { selector: {}, key: 'k' } },
    ];
    const bundle = clusterScoped('trust.cert-manager.io/v1alpha1', 'Bundle', { spec: { sources } });
    expect(found(bundle, { bundles: 'certs' })).toEqual([
      'spec.sources[0].secret -> Secret certs/root',
      'spec.sources[1].configMap -> ConfigMap certs/old',
    ]);
  });

  test('include sources of a ClusterBundle by name', () => {
    const sourceRefs = [
      { kind: 'Secret', name: 'root', key: 'k' },
      { kind: 'ConfigMap', name: 'old', key: 'k' },
    ];
    const bundle = clusterScoped('trust-manager.io/v1alpha2', 'ClusterBundle', { spec: { sourceRefs } });
    expect(found(bundle, { bundles: 'certs' })).toEqual([
      'spec.sourceRefs[0] -> Secret certs/root',
      'spec.sourceRefs[1] -> ConfigMap certs/old',
    ]);
  });
});

describe('the references of ingresses', () => {
  test.each([
    ['nginx.ingress.kubernetes.io/auth-secret', 'basic', ['Secret shop/basic']],
    ['nginx.ingress.kubernetes.io/auth-secret', 'other/basic', ['Secret other/basic']],
    ['nginx.ingress.kubernetes.io/auth-tls-secret', 'other/ca', ['Secret other/ca']],
    ['nginx.ingress.kubernetes.io/proxy-ssl-secret', 'other/ssl', ['Secret other/ssl']],
    ['cert-manager.io/issuer', 'mine', ['Issuer shop/mine']],
    ['cert-manager.io/cluster-issuer', 'all', ['ClusterIssuer all']],
    ['nginx.ingress.kubernetes.io/auth-type', 'basic', []],
    [
      'traefik.ingress.kubernetes.io/router.middlewares',
      'my-ns-auth@kubernetescrd',
      ['Middleware my/ns-auth | Middleware my-ns/auth'],
    ],
    [
      'traefik.ingress.kubernetes.io/router.middlewares',
      'a-b@kubernetescrd, c-d@kubernetescrd',
      ['Middleware a/b', 'Middleware c/d'],
    ],
    ['traefik.ingress.kubernetes.io/router.middlewares', 'auth@file', []],
  ])('include the annotation %s: %s', (key, value, expected) => {
    const ingress = object('networking.k8s.io/v1', 'Ingress', { spec: {} }, { [key]: value });
    expect(found(ingress)).toEqual(expected.map((reference) => `metadata.annotations["${key}"] -> ${reference}`));
  });

  test('do not include annotations of other kinds', () => {
    const annotations = { 'nginx.ingress.kubernetes.io/auth-secret': 'basic', 'cert-manager.io/issuer': 'mine' };
    expect(found(object('v1', 'ConfigMap', {}, annotations))).toEqual([]);
  });

  test('include Middlewares, Services and the Secret of an IngressRoute', () => {
    const spec = {
      routes: [
        {
          middlewares: [{ name: 'auth' }, { name: 'strip', namespace: 'traefik' }, { name: 'x@file' }],
          services: [
            { name: 'web' },
            { name: 'db', namespace: 'data', kind: 'Service' },
            { name: 'api@internal', kind: 'TraefikService' },
          ],
        },
      ],
      tls: { secretName: 'tls' },
    };
    expect(found(object('traefik.io/v1alpha1', 'IngressRoute', { spec }))).toEqual([
      'spec.routes[0].middlewares[0] -> Middleware shop/auth',
      'spec.routes[0].middlewares[1] -> Middleware traefik/strip',
      'spec.routes[0].services[0] -> Service shop/web',
      'spec.routes[0].services[1] -> Service data/db',
      'spec.tls.secretName -> Secret shop/tls',
    ]);
  });

  test.each([
    [{ basicAuth: { secret: 'users' } }, ['spec.basicAuth.secret -> Secret shop/users']],
    [{ digestAuth: { secret: 'users' } }, ['spec.digestAuth.secret -> Secret shop/users']],
    [
      { forwardAuth: { tls: { caSecret: 'ca', certSecret: 'cert' } } },
      ['spec.forwardAuth.tls.caSecret -> Secret shop/ca', 'spec.forwardAuth.tls.certSecret -> Secret shop/cert'],
    ],
    [{ chain: { middlewares: [{ name: 'auth' }] } }, ['spec.chain.middlewares[0] -> Middleware shop/auth']],
    [{ errors: { service: { name: 'pages' } } }, ['spec.errors.service -> Service shop/pages']],
    [{ headers: {} }, []],
  ])('are found in a Middleware %j', (spec, expected) => {
    expect(found(object('traefik.io/v1alpha1', 'Middleware', { spec }))).toEqual(expected);
  });
});

describe('the references of routes', () => {
  test.each([
    'gateway.networking.k8s.io/v1 HTTPRoute',
    'gateway.networking.k8s.io/v1 GRPCRoute',
    'policy.linkerd.io/v1beta3 HTTPRoute',
  ])('include Services of %s', (type) => {
    const [apiVersion = '', kind = ''] = type.split(' ');
    const spec = {
      parentRefs: [
        { kind: 'Service', group: 'core', name: 'web' },
        { kind: 'Server', group: 'policy.linkerd.io', name: 's' },
        { kind: 'Server', name: 't' },
        { kind: 'Service', group: 'serving.knative.dev', name: 'k' },
      ],
      rules: [
        {
          backendRefs: [
            { name: 'v1' },
            { name: 'v2', namespace: 'b', kind: 'Service', group: '' },
            { name: 'x', group: 'y', kind: 'Service' },
          ],
        },
      ],
    };
    expect(found(object(apiVersion, kind, { spec }))).toEqual([
      'spec.parentRefs[0] -> Service shop/web',
      'spec.rules[0].backendRefs[0] -> Service shop/v1',
      'spec.rules[0].backendRefs[1] -> Service b/v2',
    ]);
  });
});
