import { DashboardIngress, Prometheus, Viz } from '../../lib';
import { type Build, byHand, type Expected, exactly, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

const configMap = (name: string, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data: {},
});

const certificate = (issuerRef: object) => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'api', namespace: 'linkerd' },
  spec: { secretName: 'api', dnsNames: ['api.linkerd.svc'], issuerRef },
});

const bundle = (secret: string) => ({
  apiVersion: 'trust.cert-manager.io/v1alpha1',
  kind: 'Bundle',
  metadata: { name: 'roots' },
  spec: { sources: [{ secret: { name: secret, key: 'ca.crt' } }], target: { configMap: { key: 'ca.crt' } } },
});

const dashboard =
  (ingress: DashboardIngress): Build =>
  (cluster) => {
    const { controlPlane } = mesh(cluster);
    new Viz(cluster, 'viz', { controlPlane, prometheus: Prometheus.embedded(), ingress });
  };

const beside =
  (...objects: Parameters<typeof byHand>[2][]): Build =>
  (cluster) => {
    const { pki, trustManager } = mesh(cluster);
    byHand(cluster, [pki, trustManager], ...objects);
  };

const MISSING: readonly (readonly [string, Build, Expected])[] = [
  [
    'a Secret',
    dashboard(DashboardIngress.nginx({ host: 'linkerd.example.com', basicAuthSecret: { name: 'users' } })),
    {
      at: 'home/viz/ingress/ingress',
      code: 'reference-missing',
      parameters: {
        reference: 'Secret linkerd-viz/users',
        users: expect.stringContaining('nginx.ingress.kubernetes.io/auth-secret'),
        literal: "{ kind: 'Secret', namespace: 'linkerd-viz', name: 'users' }",
      },
    },
  ],
  [
    'a Secret that is in another namespace',
    (cluster) => {
      const { controlPlane } = mesh(cluster);
      new Viz(cluster, 'viz', {
        controlPlane,
        prometheus: Prometheus.fromUrl({
          url: 'http://prometheus:9090',
          credentialsSecret: 'linkerd-identity-issuer',
        }),
      });
    },
    {
      at: 'home/viz/chart/apps:deployment:linkerd-viz:metrics-api',
      code: 'reference-missing',
      parameters: {
        reference: 'Secret linkerd-viz/linkerd-identity-issuer',
        namespaces: 'linkerd',
      },
    },
  ],
  [
    'an Issuer',
    beside(certificate({ name: 'letsencrypt' })),
    {
      at: 'home/own/Certificate',
      code: 'reference-missing',
      parameters: {
        reference: 'Issuer linkerd/letsencrypt',
        users: 'Certificate linkerd/api (spec.issuerRef)',
        literal: "{ kind: 'Issuer', namespace: 'linkerd', name: 'letsencrypt' }",
      },
    },
  ],
  [
    'a ClusterIssuer, mistyped',
    beside(certificate({ kind: 'ClusterIssuer', name: 'linkerd-webhook-isuer' })),
    {
      at: 'home/own/Certificate',
      code: 'reference-missing',
      parameters: {
        reference: 'ClusterIssuer linkerd-webhook-isuer',
        similar: 'linkerd-webhook-issuer',
      },
    },
  ],
  [
    'a namespace',
    beside(configMap('settings', 'shop')),
    {
      at: 'home/own/ConfigMap',
      code: 'reference-missing',
      parameters: {
        reference: 'Namespace shop',
        users: 'ConfigMap shop/settings (metadata.namespace)',
        literal: "{ kind: 'Namespace', name: 'shop' }",
      },
    },
  ],
  [
    'the source of a Bundle, which would stall the whole of it',
    beside(bundle('old-anchor')),
    {
      at: 'home/own/Bundle',
      code: 'reference-missing',
      parameters: {
        reference: 'Secret cert-manager/old-anchor',
        users: 'Bundle roots (spec.sources[0].secret)',
        literal: "{ kind: 'Secret', namespace: 'cert-manager', name: 'old-anchor' }",
      },
    },
  ],
  [
    'an issuer in the namespace that a Bundle reads',
    beside(bundle('linkerd-identity-issuer')),
    {
      at: 'home/own/Bundle',
      code: 'reference-missing',
      parameters: {
        reference: 'Secret cert-manager/linkerd-identity-issuer',
        namespaces: 'linkerd',
      },
    },
  ],
];

test.each(MISSING)('a reference to what nobody emits: %s', (_, build, expected) => {
  expect(refused(build)).toEqual(exactly(expected));
});

test('a reference to what exists too late', () => {
  const problems = refused((cluster) => {
    mesh(cluster);
    byHand(cluster, [], certificate({ kind: 'ClusterIssuer', name: 'linkerd-webhook-issuer' }));
  });
  expect(problems).toEqual(
    exactly({
      at: 'home/own/Certificate',
      code: 'reference-too-late',
      parameters: {
        reference: 'ClusterIssuer linkerd-webhook-issuer',
        user: expect.stringContaining('Certificate linkerd/api'),
      },
    }),
  );
});

test('two constructs that emit one path', () => {
  const problems = refused((cluster) => {
    const { pki } = mesh(cluster);
    byHand(cluster, [pki], {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Issuer',
      metadata: { name: 'linkerd-trust-root-issuer', namespace: 'cert-manager' },
      spec: { selfSigned: {} },
    });
  });
  expect(problems).toEqual(
    exactly({
      at: 'home/own/Issuer',
      code: 'object-duplicate',
      parameters: {
        things: 'Issuer cert-manager/linkerd-trust-root-issuer',
        other: 'home/pki/identity/trust-anchor/issuer',
      },
    }),
  );
});

test("a second Bundle under the trust roots' name", () => {
  const problems = refused(
    beside({ ...bundle('linkerd-trust-anchor'), metadata: { name: 'linkerd-identity-trust-roots' } }),
  );
  expect(problems).toEqual(
    exactly({
      at: 'home/own/Bundle',
      code: 'object-duplicate',
      parameters: { things: 'Bundle linkerd-identity-trust-roots', other: 'home/trust/bundle' },
    }),
  );
});
