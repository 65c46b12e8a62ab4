import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { CertRotationCronJob, type Cluster, dependsOn, LinkerdConfig, Meshing, ReconcilerOperator } from '#lib';
import { byHand, exactly, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

const certificate = (spec: object, metadata: object = {}) => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'api', namespace: 'linkerd', ...metadata },
  spec: {
    secretName: 'api',
    dnsNames: ['api.linkerd.svc'],
    issuerRef: { kind: 'ClusterIssuer', name: 'linkerd-webhook-issuer' },
    ...spec,
  },
});

const beside =
  (...objects: Parameters<typeof byHand>[2][]) =>
  (cluster: Cluster) => {
    const { pki, trustManager } = mesh(cluster);
    byHand(cluster, [pki, trustManager], ...objects);
  };

const KEY = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n';
const BASE64 = Buffer.from(KEY).toString('base64');
const holder = (kind: string, fields: object) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'anchor', namespace: 'linkerd' },
  ...fields,
});

test.each([
  ['Secret', { stringData: { 'tls.key': KEY } }, 'stringData'],
  ['Secret', { data: { 'tls.key': BASE64 } }, 'data'],
  ['ConfigMap', { data: { 'ca.pem': KEY } }, 'data'],
])('synth refuses a private key in a %s: %j', (kind, fields, place) => {
  const problems = refused(beside(holder(kind, fields)));
  expect(problems).toEqual(
    exactly({
      at: `home/own/${kind}`,
      code: 'private-key-found',
      cause: 'object',
      parameters: { path: expect.stringMatching(`^${place}\\W`), kind },
    }),
  );
  expect(problems[0]?.message).not.toContain('MHcCAQEE');
});

test('synth refuses a Bundle with the ca.crt of an issuer, as in the Linkerd blog', () => {
  const problems = refused((cluster) => {
    const { pki, trustManager } = mesh(cluster);
    const issuer = new Construct(cluster, 'issuer');
    dependsOn(issuer, pki);
    byHand(
      cluster,
      [pki, trustManager],
      certificate(
        {
          isCA: true,
          secretName: 'mesh-issuer',
          issuerRef: { kind: 'ClusterIssuer', name: 'linkerd-identity-issuer' },
        },
        { namespace: 'cert-manager' },
      ),
      {
        apiVersion: 'trust.cert-manager.io/v1alpha1',
        kind: 'Bundle',
        metadata: { name: 'roots' },
        spec: { sources: [{ secret: { name: 'mesh-issuer', key: 'ca.crt' } }], target: { configMap: { key: 'ca' } } },
      },
    );
  });
  expect(problems).toEqual(
    exactly({
      at: 'home/own/Bundle',
      code: 'bundle-of-issued-certificate',
      parameters: { secret: 'cert-manager/mesh-issuer, key ca.crt', certificate: 'Certificate cert-manager/api' },
    }),
  );
});

const cronJob = (schedule: string, ...containers: readonly object[]) => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'linkerd-restarter', namespace: 'linkerd' },
  spec: { schedule, jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } } },
});
const step = (name: string, image: string, ...command: readonly string[]) => ({ name, image, command });
const KUBECTL = 'registry.k8s.io/kubectl:v1.34.4';

test('synth refuses an image that is no longer published', () => {
  const problems = refused(beside(cronJob('25 */6 * * *', step('restart', 'bitnami/kubectl', 'kubectl', 'version'))));
  expect(problems).toEqual(
    exactly({ at: 'home/own/CronJob', code: 'image-abandoned', parameters: { image: 'bitnami/kubectl' } }),
  );
});

test('synth refuses a Job whose steps race each other', () => {
  const rotate = step('rotate-secrets', KUBECTL, 'kubectl', 'delete', 'secret', '--all');
  const restart = step('restart-linkerd', KUBECTL, 'kubectl', 'rollout', 'restart', 'deployment');
  const problems = refused(beside(cronJob('25 */6 * * *', rotate, restart)));
  expect(problems).toEqual(
    exactly({
      at: 'home/own/CronJob',
      code: 'containers-race',
      parameters: { job: 'CronJob linkerd/linkerd-restarter', containers: 'rotate-secrets and restart-linkerd' },
    }),
  );
});

test.each([
  ['home/own/Server', 'not-yaml', Number.NaN],
  // Policies are checked together, so no single object is named.
  ['home/namespace-cert-manager', 'object-unchecked', Symbol('a')],
])('synth reports at %s the code %s for an object with the label %p', (path, code, a) => {
  const server = {
    apiVersion: 'policy.linkerd.io/v1beta3',
    kind: 'Server',
    metadata: { name: 'api', namespace: 'linkerd' },
    spec: { podSelector: { matchLabels: { a } }, port: 80 },
  };
  expect(refused(beside(server))).toMatchObject([{ path, code }]);
});

test('synth refuses a version of a kind that no API server serves', () => {
  const [apiVersion, kind] = ['batch/v1beta1', 'CronJob'];
  const object = { apiVersion, kind, metadata: { name: 'a', namespace: 'linkerd' } };
  const parameters = { apiVersion, kind, meantVersion: 'batch/v1', meantKind: kind };
  expect(refused(beside(object))).toEqual(
    exactly({ at: `home/own/${kind}`, code: 'kind-unknown', cause: 'unserved', parameters }),
  );
});

test('synth refuses a caBundle in an object into which cert-manager injects the CA', () => {
  const problems = refused(
    beside({
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: {
        name: 'v1.api.example.com',
        annotations: { 'cert-manager.io/inject-ca-from': 'linkerd/linkerd-sp-validator' },
      },
      spec: {
        group: 'api.example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        caBundle: '',
        service: { name: 'linkerd-sp-validator', namespace: 'linkerd' },
      },
    }),
  );
  // Other findings are about the Service, which the chart of the control plane creates later.
  expect(problems.filter(({ code }) => code === 'ca-bundle-contested')).toHaveLength(1);
});

test('synth refuses two Certificates that write one Secret', () => {
  const problems = refused((cluster) => {
    const { pki } = mesh(cluster);
    const secretName = 'linkerd-sp-validator-k8s-tls';
    pki.webhookCertificate(cluster, 'own', { service: 'own', namespace: 'linkerd', secretName });
  });
  expect(problems).toEqual(
    exactly({
      at: 'home/own/certificate',
      code: 'certificate-secret-shared',
      parameters: { secret: 'linkerd/linkerd-sp-validator-k8s-tls' },
    }),
  );
});

test('synth refuses an object without a kind', () => {
  const problems = refused((cluster) => {
    mesh(cluster);
    new ApiObject(cluster, 'object', { apiVersion: 'v1' } as never);
  });
  expect(problems).toEqual(
    exactly({
      at: 'home/object',
      code: 'kind-unknown',
      cause: 'type',
      parameters: { field: 'kind', value: 'missing' },
    }),
  );
});

test.each(['Deployment', 'Job'])('synth reports a %s with a value that is not plain data once', (kind) => {
  const template = { metadata: { annotations: { since: new Date(0) } }, spec: {} };
  const apiVersion = kind === 'Job' ? 'batch/v1' : 'apps/v1';
  const object = { apiVersion, kind, metadata: { name: 'a', namespace: 'shop' }, spec: { template } };
  const inMesh = (cluster: Cluster) => {
    const { controlPlane } = mesh(cluster);
    new Meshing(cluster, 'meshing', { controlPlane }).namespace('shop');
    new CertRotationCronJob(cluster, 'rotation', { controlPlane });
    new LinkerdConfig(cluster, 'config', {
      operator: new ReconcilerOperator(cluster, 'operator', { controlPlane, namespaces: ['shop'] }),
    });
    byHand(cluster, [], object);
  };
  expect(refused(inMesh)).toEqual(
    exactly({
      at: `home/own/${kind}`,
      code: 'wrong-type',
      cause: 'plain-data',
      parameters: { place: expect.stringMatching(/annotations\.since$/), value: expect.stringContaining('Date') },
    }),
  );
});

const podOf = (pod: object, container: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'linkerd' },
  spec: { securityContext: pod, containers: [{ name: 'a', image: 'a:1', securityContext: container }] },
});

test.each([
  [{ runAsNonRoot: true, runAsUser: 0 }, {}, 1],
  [{ runAsNonRoot: true }, { runAsUser: 0 }, 1],
  [{ runAsUser: 0 }, { runAsNonRoot: true }, 1],
  [{ runAsNonRoot: true, runAsUser: 0 }, { runAsUser: 1000 }, 0],
  [{ runAsNonRoot: true, runAsUser: 0 }, { runAsNonRoot: false }, 0],
])('the securityContext %j of a pod and %j of a container have problems: %d', (pod, container, count) => {
  const problems = refused(beside(podOf(pod, container)));
  expect(problems).toHaveLength(count);
  for (const problem of problems) {
    expect(problem).toMatchObject({
      code: 'root-forbidden',
      parameters: { container: 'Pod linkerd/a: spec.containers[0]' },
    });
  }
});

test('synth reports a missing trace collector in a namespace whose workloads are in the output', () => {
  const tracing = {
    enabled: true,
    collector: { endpoint: 'otl.default:4317', meshIdentity: { serviceAccountName: 'default', namespace: 'default' } },
  };
  const problems = refused((cluster) => {
    const { controlPlane, pki, trustManager } = mesh(cluster, { controlPlane: { values: { proxy: { tracing } } } });
    const pod = { containers: [{ name: 'otel', image: 'otel:1' }] };
    byHand(cluster, [controlPlane, pki, trustManager], {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'otel', namespace: 'default' },
      spec: pod,
    } as never);
  });
  expect(problems).toEqual(
    exactly({ at: 'home/linkerd/chart', code: 'reference-missing', parameters: { reference: 'Service default/otl' } }),
  );
});
