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
test.each([
  ['renewBefore without a unit, as text', { duration: '168h', renewBefore: '24' }, ['spec.renewBefore', '"24"']],
  ['days', { duration: '30d' }, ['spec.duration', '"30d"']],
  ['renewBefore >= duration', { duration: '24h', renewBefore: '24h' }, ['spec.renewBefore', '24h']],
  ["renewBefore >= cert-manager's default duration", { renewBefore: '2160h' }, ['spec.renewBefore', '2160h']],
  ["less than cert-manager's shortest duration", { duration: '30m', renewBefore: '10m' }, ['spec.duration', '30m']],
  ["less than cert-manager's shortest renewBefore", { duration: '24h', renewBefore: '4m' }, ['spec.renewBefore', '4m']],
  ['two times of renewal', { renewBefore: '1h', renewBeforePercentage: 20 }, ['renewBeforePercentage']],
  ['an empty renewal', { renewal: {} }, ['spec.renewal']],
])('a Certificate by hand: %s', (_, spec, says) => {
  expect(refused(beside(certificate(spec)))).toEqual(exactly({ at: 'home/own/Certificate', says, fix: '' }));
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
  expect(problems).toEqual(exactly({ at: `home/own/${kind}`, says: [place, 'private key'], fix: 'remove' }));
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
      says: ['linkerd/jaeger-injector', 'linkerd-jaeger'],
      fix: 'linkerd-jaeger',
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
  expect(problems).toEqual(exactly({ at: 'home/own/Bundle', says: ['cert-manager/mesh-issuer', 'ca.crt'], fix: '' }));
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
    exactly({ at: 'home/own/CronJob', says: ['bitnami/kubectl'], fix: 'registry.k8s.io/kubectl' }),
  );
});

test('a job whose steps race each other', () => {
  const rotate = step('rotate-secrets', KUBECTL, 'kubectl', 'delete', 'secret', '--all');
  const restart = step('restart-linkerd', KUBECTL, 'kubectl', 'rollout', 'restart', 'deployment');
  const problems = refused(beside(cronJob('25 */6 * * *', rotate, restart)));
  expect(problems).toEqual(
    exactly({ at: 'home/own/CronJob', says: ['rotate-secrets', 'restart-linkerd'], fix: 'initContainers' }),
  );
});

test.each(['61 * * * *', 'TZ=UTC 25 6 * * *'])('a schedule that CronJobs refuse: %s', (schedule) => {
  expect(refused(beside(cronJob(schedule, step('a', KUBECTL, 'kubectl', 'version'))))).toEqual(
    exactly({ at: 'home/own/CronJob', says: ['spec.schedule', schedule], fix: '' }),
  );
});

test.each([
  ['v1', 'configmap', 'ConfigMap'],
  ['batch/v1beta1', 'CronJob', 'batch/v1'],
  ['app/v1', 'Deployment', 'apps/v1'],
  ['cert-manager.io/v1alpha2', 'Certificate', 'cert-manager.io/v1'],
])('a kind that no API server has: %s %s', (apiVersion, kind, fix) => {
  const object = { apiVersion, kind, metadata: { name: 'a', namespace: 'linkerd' } };
  expect(refused(beside(object))).toEqual(exactly({ at: `home/own/${kind}`, says: [kind], fix }));
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
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toContain(`kind is "${kind}"`);
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
  expect(problems.filter(({ message }) => message.includes('caBundle'))).toHaveLength(1);
});

test('two Certificates that write one Secret', () => {
  const problems = refused((cluster) => {
    const { pki } = mesh(cluster);
    const secretName = 'linkerd-sp-validator-k8s-tls';
    pki.webhookCertificate(cluster, 'own', { service: 'own', namespace: 'linkerd', secretName });
  });
  expect(problems).toEqual(
    exactly({ at: 'home/own/certificate', says: ['linkerd/linkerd-sp-validator-k8s-tls'], fix: '' }),
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
  expect(problems).toEqual(exactly({ at: 'home/object', says: ['kind is missing'], fix: 'write the kind' }));
});

test('a label that is a number', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'linkerd', labels: { a: 5 } },
  };
  expect(refused(beside(object))).toEqual(
    exactly({ at: 'home/own/ConfigMap', says: ['metadata.labels.a is 5, not a string'], fix: '' }),
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
  expect(refused(inMesh)).toEqual(exactly({ at: `home/own/${kind}`, says: ['annotations.since', 'Date'], fix: '' }));
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
  for (const { message } of problems) expect(message).toContain('spec.containers[0] runs as user 0');
});
