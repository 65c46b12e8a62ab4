import { type Cluster, JaegerToTempo, LinkerdMesh } from '../../lib';
import { byHand, exactly, expectFirst, hours, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

/** A webhook of `service`, and the Certificate that is to vouch for it. */
function webhook(cluster: Cluster, service: { name: string; namespace: string }, injectCaFrom: string): void {
  const { pki, controlPlane } = mesh(cluster);
  pki.webhookCertificate(cluster, 'jaeger-certificate', { service: 'jaeger-injector', namespace: 'linkerd' });
  byHand(cluster, [pki, controlPlane], {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'jaeger', annotations: { 'cert-manager.io/inject-ca-from': injectCaFrom } },
    webhooks: [
      {
        name: 'jaeger-injector.linkerd.io',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { service: { ...service, path: '/' } },
      },
    ],
  });
}

test('the certificate of the jaeger-injector in a namespace in which its webhook does not run', () => {
  const external = [{ kind: 'Service', namespace: 'linkerd-jaeger', name: 'jaeger-injector' }] as const;
  const problems = refused(
    (cluster) => webhook(cluster, { name: 'jaeger-injector', namespace: 'linkerd-jaeger' }, 'linkerd/jaeger-injector'),
    { cluster: { external } },
  );
  expect(problems).toEqual(
    exactly({
      at: 'home/own/MutatingWebhookConfiguration',
      code: 'webhook-certificate-refused',
      cause: 'names',
      parameters: {
        object: 'MutatingWebhookConfiguration jaeger',
        certificate: 'linkerd/jaeger-injector',
        names: 'jaeger-injector.linkerd.svc',
        host: 'jaeger-injector.linkerd-jaeger.svc',
      },
    }),
  );
});

test('the same namespace by a value of the linkerd-jaeger chart, as in the blog', () => {
  const problems = refused((cluster) => {
    const { controlPlane } = new LinkerdMesh(cluster, 'mesh', {
      version: 'stable-2.14.10',
      monitoring: { namespace: 'monitoring' },
    });
    new JaegerToTempo(cluster, 'tracing', {
      controlPlane,
      tempo: { service: 'tempo', namespace: 'tracing', serviceAccount: 'tempo' },
      values: { webhook: { injectCaFrom: 'linkerd/jaeger-injector' } },
    });
  });
  expect(problems).toEqual(
    exactly({
      at: 'home/tracing/jaeger/chart',
      code: 'value-contradicts-prop',
      parameters: {
        path: 'webhook.injectCaFrom',
        value: '"linkerd/jaeger-injector"',
        decided: '"linkerd-jaeger/jaeger-injector"',
      },
    }),
  );
});

test('a Certificate whose dnsNames do not cover the Service of the webhook', () => {
  const service = { name: 'linkerd-proxy-injector', namespace: 'linkerd' };
  const problems = refused((cluster) => webhook(cluster, service, 'linkerd/linkerd-sp-validator'));
  expect(problems).toEqual(
    exactly({
      at: 'home/own/MutatingWebhookConfiguration',
      code: 'webhook-certificate-refused',
      cause: 'names',
      parameters: { certificate: 'linkerd/linkerd-sp-validator', host: 'linkerd-proxy-injector.linkerd.svc' },
    }),
  );
});

test('a CA from a Certificate that nobody emits', () => {
  const service = { name: 'linkerd-sp-validator', namespace: 'linkerd' };
  const problems = refused((cluster) => webhook(cluster, service, 'linkerd/linkerd-sp-validater'));
  expect(problems).toEqual(
    exactly({
      at: 'home/own/MutatingWebhookConfiguration',
      code: 'webhook-certificate-refused',
      cause: 'missing',
      parameters: {
        certificate: 'linkerd/linkerd-sp-validater',
        similar: 'linkerd/linkerd-sp-validator',
      },
    }),
  );
});

test('a second source of the CA of a webhook', () => {
  const values = { proxyInjector: { caBundle: 'LS0t' } };
  expectFirst(
    refused((cluster) => mesh(cluster, { controlPlane: { values } })),
    {
      at: 'home/linkerd',
      code: 'certificate-source-conflict',
      cause: 'webhook-ca',
      parameters: { path: 'proxyInjector.caBundle' },
    },
  );
});

test('webhook certificates that are renewed when they have expired', () => {
  expectFirst(
    refused((cluster) => mesh(cluster, { pki: { webhooks: hours(24, 24) } })),
    {
      at: 'home/pki',
      code: 'validity-refused',
      cause: 'inverted',
      parameters: {
        certificate: 'webhooks',
        renewBefore: '24h',
        duration: '24h',
        proposed: '{ duration: Duration.days(1), renewBefore: Duration.hours(8) }',
      },
    },
  );
});
