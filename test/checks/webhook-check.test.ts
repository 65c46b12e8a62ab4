import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { certificateNames, checkCaBundle, checkWebhook } from '#lib/checks/webhook-check';
import { facts } from '../support/findings';

const HOST = 'linkerd-proxy-injector.linkerd.svc';
const SERVICE = { name: 'linkerd-proxy-injector', namespace: 'linkerd' };

function certificate(dnsNames: readonly string[], name = 'injector'): KubernetesObject {
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name, namespace: 'linkerd' },
    spec: { dnsNames },
  };
}

function webhook(
  injectCaFrom: string | undefined,
  fields: object = { webhooks: [{ clientConfig: { service: SERVICE } }] },
) {
  const annotations = injectCaFrom === undefined ? undefined : { 'cert-manager.io/inject-ca-from': injectCaFrom };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'it', annotations },
    ...fields,
  };
}

const check = (object: KubernetesObject, certificates: readonly KubernetesObject[]) =>
  checkWebhook(object, certificateNames(certificates)).map(facts);

test.each([[[HOST]], [['other', HOST]], [['*.linkerd.svc']]])(
  'checkWebhook accepts a Certificate for %j, which covers the Service',
  (dnsNames) => expect(check(webhook('linkerd/injector'), [certificate(dnsNames)])).toEqual([]),
);

test.each([
  [[]],
  [['linkerd-proxy-injector']],
  [['linkerd-proxy-injector.linkerd']],
  [['linkerd-proxy-injector.other.svc']],
  [['*.svc']],
  [[`${HOST}.cluster.local`]],
])('checkWebhook refuses a Certificate for %j, which does not cover the Service', (dnsNames) => {
  expect(check(webhook('linkerd/injector'), [certificate(dnsNames)])).toMatchObject([
    { finding: 'webhook-certificate-refused/names', host: HOST },
  ]);
});

test('checkWebhook ignores a webhook that names no Certificate', () => {
  expect(check(webhook(undefined), [])).toEqual([]);
});

test('checkWebhook reports a Certificate that is missing from the named namespace', () => {
  expect(check(webhook('certs/injector'), [certificate([HOST])])).toMatchObject([
    {
      finding: 'webhook-certificate-refused/missing',
      object: 'MutatingWebhookConfiguration it',
      annotation: 'cert-manager.io/inject-ca-from',
      certificate: 'certs/injector',
    },
  ]);
});

test('checkWebhook proposes the Certificate with the nearest name', () => {
  const [problem] = checkWebhook(webhook('linkerd/injektor'), certificateNames([certificate([HOST])]));
  expect(problem?.fix).toContain('did you mean "linkerd/injector"?');
});

test('checkWebhook accepts a declared Certificate whose DNS names are unknown', () => {
  expect(checkWebhook(webhook('linkerd/injector'), new Map([['linkerd/injector', undefined]]))).toEqual([]);
});

test.each([
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    { webhooks: [{ clientConfig: { service: SERVICE } }] },
  ],
  ['apiregistration.k8s.io/v1', 'APIService', { spec: { service: SERVICE } }],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    { spec: { conversion: { webhook: { clientConfig: { service: SERVICE } } } } },
  ],
])('checkWebhook also checks %s %s', (apiVersion, kind, fields) => {
  expect(check(webhook('linkerd/injector', { apiVersion, kind, ...fields }), [certificate(['x'])])).toHaveLength(1);
});

test('checkWebhook reports each Service once', () => {
  const hook = { clientConfig: { service: SERVICE } };
  expect(check(webhook('linkerd/injector', { webhooks: [hook, hook] }), [certificate([])])).toHaveLength(1);
});

test('checkWebhook ignores webhooks at a URL, which have no Service', () => {
  const fields = { webhooks: [{ clientConfig: { url: 'https://hooks.example.com' } }] };
  expect(check(webhook('linkerd/injector', fields), [certificate([])])).toEqual([]);
});

test('checkWebhook ignores Certificates of other API groups', () => {
  const other = { ...certificate([HOST]), apiVersion: 'networking.internal.knative.dev/v1alpha1' };
  expect(check(webhook('linkerd/injector'), [other])).toHaveLength(1);
});

test('checkWebhook refuses a Certificate with its Secret in another namespace than the Service', () => {
  const elsewhere = { webhooks: [{ clientConfig: { service: { ...SERVICE, namespace: 'jaeger' } } }] };
  const names = ['linkerd-proxy-injector.jaeger.svc'];
  const problem = {
    finding: 'webhook-certificate-refused/namespace',
    certificate: 'linkerd/injector',
    service: 'linkerd-proxy-injector',
    namespace: 'jaeger',
    object: 'MutatingWebhookConfiguration it',
  };
  expect(check(webhook('linkerd/injector', elsewhere), [certificate(names)])).toMatchObject([problem]);
  const unknown = checkWebhook(webhook('linkerd/injector', elsewhere), new Map([['linkerd/injector', undefined]]));
  expect(unknown.map(facts)).toMatchObject([problem]);
});

describe('checkCaBundle', () => {
  const spec = { caBundle: 'Q0E=', service: SERVICE };
  const apiService = (annotation: string) => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.api', annotations: { [annotation]: 'linkerd/it' } },
    spec,
  });

  test.each(['inject-ca-from', 'inject-ca-from-secret', 'inject-apiserver-ca'])(
    'refuses a caBundle together with the annotation %s',
    (name) => {
      const parameters = {
        object: 'APIService v1.api',
        field: 'spec.caBundle',
        annotation: `cert-manager.io/${name}`,
      };
      expect(checkCaBundle(apiService(`cert-manager.io/${name}`))).toMatchObject([
        { code: 'ca-bundle-contested', parameters },
      ]);
    },
  );

  test('reports a caBundle in a list of webhooks', () => {
    const webhooks = [{ clientConfig: {} }, { clientConfig: { caBundle: '' } }];
    const [problem] = checkCaBundle(webhook('linkerd/it', { webhooks }));
    expect(problem?.parameters).toMatchObject({ field: 'webhooks[1].clientConfig.caBundle' });
  });

  test('accepts a caBundle without an annotation of cert-manager', () => {
    expect(checkCaBundle(apiService('example.com/other'))).toEqual([]);
  });
});
