import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { CertRotationCronJob, type Cluster, dependsOn, LinkerdConfig, Meshing, ReconcilerOperator } from '../../lib';
import { byHand, exactly, hours, mesh, rightPlatform } from '../support/bad-input-fixture';

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

// What only cert-manager's webhook refuses; past it, one of these stops every Certificate of the cluster.
test.each<[string, object, cause: string, parameters: Record<string, string>]>([
  [
    'renewBefore without a unit, as text',
    { duration: '168h', renewBefore: '24' },
    'duration',
    { field: 'renewBefore', value: '24' },
  ],
  ['days', { duration: '30d' }, 'duration', { field: 'duration', value: '30d' }],
  [
    'renewBefore >= duration',
    { duration: '24h', renewBefore: '24h' },
    'window',
    { renewBefore: '24h', duration: '24h' },
  ],
  [
    "renewBefore >= cert-manager's default duration",
    { renewBefore: '2160h' },
    'window',
    { renewBefore: '2160h', duration: '2160h' },
  ],
  [
    "less than cert-manager's shortest duration",
    { duration: '30m', renewBefore: '10m' },
    'duration-short',
    { duration: '30m' },
  ],
  [
    "less than cert-manager's shortest renewBefore",
    { duration: '24h', renewBefore: '4m' },
    'window',
    { renewBefore: '4m', duration: '24h' },
  ],
  ['two times of renewal', { renewBefore: '1h', renewBeforePercentage: 20 }, 'renewal-twice', {}],
  ['an empty renewal', { renewal: {} }, 'renewal-empty', {}],
])('a Certificate by hand: %s', (_, spec, cause, parameters) => {
  expect(refused(beside(certificate(spec)))).toEqual(
    exactly({ at: 'home/own/Certificate', code: 'certificate-refused', cause, parameters }),
  );
});

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
])('a private key in a %s: %j', (kind, fields, place) => {
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

const external = [{ kind: 'Service', namespace: 'linkerd-jaeger', name: 'jaeger-injector' }] as const;

test("the blog's jaeger-injector: its Certificate, and so its Secret, in another namespace than its pods", () => {
  const problems = refused(
    beside(certificate({ dnsNames: ['jaeger-injector.linkerd-jaeger.svc'] }, { name: 'jaeger-injector' }), {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'jaeger', annotations: { 'cert-manager.io/inject-ca-from': 'linkerd/jaeger-injector' } },
      webhooks: [
        {
          name: 'jaeger-injector.linkerd.io',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { name: 'jaeger-injector', namespace: 'linkerd-jaeger' } },
        },
      ],
    }),
    { cluster: { external } },
  );
  expect(problems).toEqual(
    exactly({
      at: 'home/own/MutatingWebhookConfiguration',
      code: 'webhook-certificate-refused',
      cause: 'namespace',
      parameters: {
        certificate: 'linkerd/jaeger-injector',
        service: 'jaeger-injector',
        namespace: 'linkerd-jaeger',
      },
    }),
  );
});

test("the blog's Bundle: fed from the ca.crt of an issuer", () => {
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
  spec: {
    schedule,
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } },
  },
});
const step = (name: string, image: string, ...command: readonly string[]) => ({ name, image, command });
const KUBECTL = 'registry.k8s.io/kubectl:v1.34.4';

test('a dead image', () => {
  const problems = refused(beside(cronJob('25 */6 * * *', step('restart', 'bitnami/kubectl', 'kubectl', 'version'))));
  expect(problems).toEqual(
    exactly({ at: 'home/own/CronJob', code: 'image-abandoned', parameters: { image: 'bitnami/kubectl' } }),
  );
});

test('a job whose steps race each other', () => {
  const rotate = step('rotate-secrets', KUBECTL, 'kubectl', 'delete', 'secret', '--all');
  const restart = step('restart-linkerd', KUBECTL, 'kubectl', 'rollout', 'restart', 'deployment');
  const problems = refused(beside(cronJob('25 */6 * * *', rotate, restart)));
  expect(problems).toEqual(
    exactly({
      at: 'home/own/CronJob',
      code: 'containers-race',
      parameters: {
        job: 'CronJob linkerd/linkerd-restarter',
        containers: 'rotate-secrets and restart-linkerd',
      },
    }),
  );
});

test.each(['61 * * * *', 'TZ=UTC 25 6 * * *'])('a schedule that CronJobs refuse: %s', (schedule) => {
  expect(refused(beside(cronJob(schedule, step('a', KUBECTL, 'kubectl', 'version'))))).toEqual(
    exactly({
      at: 'home/own/CronJob',
      code: 'cron-expression-refused',
      parameters: { field: 'spec.schedule', expression: schedule },
    }),
  );
});

test.each([
  ['v1', 'configmap', 'v1', 'ConfigMap'],
  ['batch/v1beta1', 'CronJob', 'batch/v1', 'CronJob'],
  ['app/v1', 'Deployment', 'apps/v1', 'Deployment'],
  ['cert-manager.io/v1alpha2', 'Certificate', 'cert-manager.io/v1', 'Certificate'],
])('a kind that no API server has: %s %s', (apiVersion, kind, meantVersion, meantKind) => {
  const object = { apiVersion, kind, metadata: { name: 'a', namespace: 'linkerd' } };
  expect(refused(beside(object))).toEqual(
    exactly({
      at: `home/own/${kind}`,
      code: 'kind-unknown',
      cause: 'unserved',
      parameters: { apiVersion, kind, meantVersion, meantKind },
    }),
  );
});

test.each(['', '../../Evil', 'Two Words'])('a kind that is no name: "%s"', (kind) => {
  const problems = refused((cluster) => {
    mesh(cluster);
    new ApiObject(cluster, 'object', {
      apiVersion: 'example.com/v1',
      kind,
      metadata: { name: 'a', namespace: 'linkerd' },
    });
  });
  expect(problems).toMatchObject([
    { code: 'kind-unknown', cause: 'type', parameters: { field: 'kind', value: `"${kind}"` } },
  ]);
});

test('a caBundle beside the CA that cert-manager injects', () => {
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
  // The Service comes from the chart, after the PKI: only the caBundle is to be reported here.
  expect(problems.filter(({ code }) => code === 'ca-bundle-contested')).toHaveLength(1);
});

test('two Certificates that write one Secret', () => {
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

test('Certificates of a mesh that is wrong are reported together', () => {
  const problems = refused((cluster) => mesh(cluster, { pki: { webhooks: hours(24, 24) } }));
  expect(problems).toMatchObject([
    { path: 'home/pki', code: 'validity-refused' },
    { path: 'home/linkerd/linkerd-proxy-injector/certificate', code: 'certificate-refused', cause: 'window' },
  ]);
});

test('an object that says nothing of itself', () => {
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

test('a label that is a number', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'linkerd', labels: { a: 5 } },
  };
  expect(refused(beside(object))).toEqual(
    exactly({
      at: 'home/own/ConfigMap',
      code: 'field-refused',
      cause: 'type',
      parameters: { field: 'metadata.labels.a', value: '5' },
    }),
  );
});

test.each(['Deployment', 'Job'])('a %s that cannot be written is reported by nobody else', (kind) => {
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
])('a pod of %j with a container of %j: %d', (pod, container, count) => {
  const problems = refused(beside(podOf(pod, container)));
  expect(problems).toHaveLength(count);
  for (const problem of problems) {
    expect(problem).toMatchObject({
      code: 'root-forbidden',
      parameters: { container: 'Pod linkerd/a: spec.containers[0]' },
    });
  }
});
