import { referencesOf } from '#lib/gitops/synth/references/object-references';
import type { LookupNamespaces } from '#lib/gitops/tree/declared';
import type { KubernetesObject } from '#lib/kubernetes/kubernetes-object';
import { referenceKey } from '#lib/kubernetes/references';

type Fields = Readonly<Record<string, unknown>>;

function object(apiVersion: string, kind: string, fields: Fields, annotations: Record<string, string> = {}) {
  return { apiVersion, kind, metadata: { name: 'it', namespace: 'shop', annotations }, ...fields };
}

function clusterScoped(apiVersion: string, kind: string, fields: Fields) {
  return { apiVersion, kind, metadata: { name: 'it' }, ...fields };
}

/** `field -> Kind namespace/name` of every reference but that to the object's own namespace. */
function found(of: KubernetesObject, lookup?: LookupNamespaces): readonly string[] {
  return referencesOf(of, lookup)
    .filter(({ field }) => field !== 'metadata.namespace')
    .map(({ field, accepts }) => `${field} -> ${accepts.map(referenceKey).join(' | ')}`);
}

test('a namespaced object refers to its namespace', () => {
  const [first] = referencesOf(object('v1', 'ConfigMap', {}));
  expect(first).toEqual({ field: 'metadata.namespace', accepts: [{ kind: 'Namespace', name: 'shop' }] });
});

test('a cluster-scoped object refers to no namespace', () => {
  expect(referencesOf(clusterScoped('v1', 'PersistentVolume', {}))).toEqual([]);
});

describe('pods', () => {
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
  ])('%s %s', (apiVersion, kind, fields, prefix) => {
    const expected = REFERENCES.map((reference) => `${prefix}.${reference}`);
    expect([...found(object(apiVersion, kind, fields))].sort()).toEqual(expected.sort());
  });
});

describe('cert-manager', () => {
  const issuerRef = (ref: object) =>
    found(object('cert-manager.io/v1', 'Certificate', { spec: { secretName: 's', issuerRef: ref } }));

  test.each([
    [{ name: 'a' }, ['spec.issuerRef -> Issuer shop/a']],
    [{ name: 'a', kind: 'Issuer', group: 'cert-manager.io' }, ['spec.issuerRef -> Issuer shop/a']],
    [{ name: 'a', kind: 'ClusterIssuer' }, ['spec.issuerRef -> ClusterIssuer a']],
    [{ name: 'a', kind: 'AWSPCAClusterIssuer', group: 'awspca.cert-manager.io' }, []],
  ])('a Certificate with issuerRef %j', (ref, expected) => {
    expect(issuerRef(ref)).toEqual(expected);
  });

  test('the passwords of keystores', () => {
    const keystores = { jks: { create: true, passwordSecretRef: { name: 'jks', key: 'p' } } };
    expect(
      found(object('cert-manager.io/v1', 'Certificate', { spec: { issuerRef: { name: 'a' }, keystores } })),
    ).toContain('spec.keystores.jks.passwordSecretRef -> Secret shop/jks');
  });

  test('a CertificateRequest', () => {
    const spec = { issuerRef: { name: 'a', kind: 'ClusterIssuer' } };
    expect(found(object('cert-manager.io/v1', 'CertificateRequest', { spec }))).toEqual([
      'spec.issuerRef -> ClusterIssuer a',
    ]);
  });

  test.each([
    ['CA', { ca: { secretName: 'root' } }, ['spec.ca.secretName -> Secret shop/root']],
    ['self-signed', { selfSigned: {} }, []],
    [
      'Vault',
      {
        vault: {
          auth: { appRole: { secretRef: { name: 'role' } }, kubernetes: { serviceAccountRef: { name: 'sa' } } },
        },
      },
      [
        'spec.vault.auth.appRole.secretRef -> Secret shop/role',
        'spec.vault.auth.kubernetes.serviceAccountRef -> ServiceAccount shop/sa',
      ],
    ],
    [
      'Venafi',
      { venafi: { tpp: { credentialsRef: { name: 'tpp' } } } },
      ['spec.venafi.tpp.credentialsRef -> Secret shop/tpp'],
    ],
    [
      'ACME',
      {
        acme: {
          privateKeySecretRef: { name: 'account' },
          solvers: [{ dns01: { cloudflare: { apiTokenSecretRef: { name: 'token' } } } }],
        },
      },
      [
        'spec.acme.privateKeySecretRef -> Secret shop/account',
        'spec.acme.solvers[0].dns01.cloudflare.apiTokenSecretRef -> Secret shop/token',
      ],
    ],
  ])('an Issuer: %s', (_, spec, expected) => {
    expect(found(object('cert-manager.io/v1', 'Issuer', { spec }))).toEqual(expected);
  });

  const CA = clusterScoped('cert-manager.io/v1', 'ClusterIssuer', { spec: { ca: { secretName: 'root' } } });

  test("a ClusterIssuer finds Secrets in cert-manager's namespace", () => {
    expect(found(CA, { clusterIssuers: 'certs' })).toEqual(['spec.ca.secretName -> Secret certs/root']);
  });

  test('or in some namespace, if it is not known which that is', () => {
    expect(found(CA)).toEqual(['spec.ca.secretName -> Secret root']);
  });

  test('a CA taken from a Secret', () => {
    const annotations = { 'cert-manager.io/inject-ca-from-secret': 'certs/ca' };
    const webhook = {
      ...clusterScoped('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', {}),
      metadata: { name: 'it', annotations },
    };
    expect(found(webhook)).toEqual([
      'metadata.annotations["cert-manager.io/inject-ca-from-secret"] -> Secret certs/ca',
    ]);
  });
});

describe('trust-manager', () => {
  test('a Bundle finds its sources by name in the trust namespace; a selector may find none', () => {
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

  test('a ClusterBundle', () => {
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

describe('ingress', () => {
  test('an Ingress', () => {
    const spec = {
      tls: [{ hosts: ['a'], secretName: 'tls' }, { hosts: ['b'] }],
      defaultBackend: { service: { name: 'fallback', port: {} } },
      rules: [
        { http: { paths: [{ backend: { service: { name: 'web' } } }, { backend: { resource: { name: 'x' } } }] } },
      ],
    };
    expect(found(object('networking.k8s.io/v1', 'Ingress', { spec }))).toEqual([
      'spec.tls[0].secretName -> Secret shop/tls',
      'spec.defaultBackend.service -> Service shop/fallback',
      'spec.rules[0].http.paths[0].backend.service -> Service shop/web',
    ]);
  });

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
  ])('%s: %s', (key, value, expected) => {
    const ingress = object('networking.k8s.io/v1', 'Ingress', { spec: {} }, { [key]: value });
    expect(found(ingress)).toEqual(expected.map((reference) => `metadata.annotations["${key}"] -> ${reference}`));
  });

  test("an issuer of another project's kind", () => {
    const annotations = { 'cert-manager.io/issuer': 'x', 'cert-manager.io/issuer-group': 'awspca.cert-manager.io' };
    expect(found(object('networking.k8s.io/v1', 'Ingress', {}, annotations))).toEqual([]);
  });

  test('other kinds are not read as Ingresses', () => {
    const annotations = { 'nginx.ingress.kubernetes.io/auth-secret': 'basic', 'cert-manager.io/issuer': 'mine' };
    expect(found(object('v1', 'ConfigMap', {}, annotations))).toEqual([]);
  });

  test('an IngressRoute', () => {
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
  ])('a Middleware %j', (spec, expected) => {
    expect(found(object('traefik.io/v1alpha1', 'Middleware', { spec }))).toEqual(expected);
  });
});

describe('RBAC and policy', () => {
  const subjects = [
    { kind: 'ServiceAccount', name: 'web', namespace: 'other' },
    { kind: 'ServiceAccount', name: 'own' },
    { kind: 'Group', name: 'system:masters' },
  ];

  test('a RoleBinding', () => {
    expect(found(object('rbac.authorization.k8s.io/v1', 'RoleBinding', { subjects }))).toEqual([
      'subjects[0] -> ServiceAccount other/web',
      'subjects[1] -> ServiceAccount shop/own',
    ]);
  });

  test('a ClusterRoleBinding', () => {
    const binding = clusterScoped('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', {
      subjects: subjects.slice(0, 1),
    });
    expect(found(binding)).toEqual(['subjects[0] -> ServiceAccount other/web']);
  });

  test('an AuthorizationPolicy', () => {
    const spec = {
      targetRef: { kind: 'Namespace', name: 'shop' },
      requiredAuthenticationRefs: [
        { kind: 'ServiceAccount', name: 'prometheus', namespace: 'monitoring' },
        { kind: 'MeshTLSAuthentication', name: 'x' },
      ],
    };
    expect(found(object('policy.linkerd.io/v1alpha1', 'AuthorizationPolicy', { spec }))).toEqual([
      'spec.requiredAuthenticationRefs[0] -> ServiceAccount monitoring/prometheus',
      'spec.targetRef -> Namespace shop',
    ]);
  });

  test('a MeshTLSAuthentication', () => {
    const spec = {
      identityRefs: [
        { kind: 'ServiceAccount', name: 'a' },
        { kind: 'Namespace', name: 'other' },
      ],
    };
    expect(found(object('policy.linkerd.io/v1alpha1', 'MeshTLSAuthentication', { spec }))).toEqual([
      'spec.identityRefs[0] -> ServiceAccount shop/a',
      'spec.identityRefs[1] -> Namespace other',
    ]);
  });

  test('a ServerAuthorization', () => {
    const spec = { client: { meshTLS: { serviceAccounts: [{ name: 'a', namespace: 'b' }] } } };
    expect(found(object('policy.linkerd.io/v1beta1', 'ServerAuthorization', { spec }))).toEqual([
      'spec.client.meshTLS.serviceAccounts[0] -> ServiceAccount b/a',
    ]);
  });

  test('a ServiceAccount that pulls images', () => {
    expect(found(object('v1', 'ServiceAccount', { imagePullSecrets: [{ name: 'pull' }] }))).toEqual([
      'imagePullSecrets[0] -> Secret shop/pull',
    ]);
  });
});

describe('what is called', () => {
  const service = { name: 'hook', namespace: 'ops' };
  const clientConfig = { service };

  test.each([
    [
      'admissionregistration.k8s.io/v1',
      'MutatingWebhookConfiguration',
      { webhooks: [{ clientConfig }] },
      'webhooks[0].clientConfig.service',
    ],
    [
      'admissionregistration.k8s.io/v1',
      'ValidatingWebhookConfiguration',
      { webhooks: [{ clientConfig }] },
      'webhooks[0].clientConfig.service',
    ],
    ['apiregistration.k8s.io/v1', 'APIService', { spec: { service } }, 'spec.service'],
    [
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      { spec: { conversion: { webhook: { clientConfig } } } },
      'spec.conversion.webhook.clientConfig.service',
    ],
  ])('%s %s', (apiVersion, kind, fields, field) => {
    expect(found(clusterScoped(apiVersion, kind, fields))).toEqual([`${field} -> Service ops/hook`]);
  });

  test.each([
    'gateway.networking.k8s.io/v1 HTTPRoute',
    'gateway.networking.k8s.io/v1 GRPCRoute',
    'policy.linkerd.io/v1beta3 HTTPRoute',
  ])('a route: %s', (type) => {
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

describe('monitors', () => {
  const endpoint = {
    basicAuth: { username: { name: 'user' }, password: { name: 'pass' } },
    authorization: { credentials: { name: 'cred' } },
    bearerTokenSecret: { name: '', key: '' },
    oauth2: { clientSecret: { name: 'client' }, clientId: { configMap: { name: 'id' } } },
    tlsConfig: { ca: { configMap: { name: 'ca' } }, cert: { secret: { name: 'cert' } }, keySecret: { name: 'key' } },
  };

  test.each([
    ['PodMonitor', { podMetricsEndpoints: [endpoint] }],
    ['ServiceMonitor', { endpoints: [endpoint] }],
  ])('%s', (kind, spec) => {
    const names = referencesOf(object('monitoring.coreos.com/v1', kind, { spec })).map(
      ({ accepts: [reference] }) => reference?.name,
    );
    expect(names.slice(1).sort()).toEqual(['ca', 'cert', 'client', 'cred', 'id', 'key', 'pass', 'user']);
  });
});
