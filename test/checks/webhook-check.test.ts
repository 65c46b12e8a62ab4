import { certificateNames, checkCaBundle, checkWebhook } from '#lib/checks/webhook-check';
import type { KubernetesObject } from '#lib/kubernetes/kubernetes-object';
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

test.each([[[HOST]], [['other', HOST]], [['*.linkerd.svc']]])('a Certificate for %j covers the Service', (dnsNames) => {
  expect(check(webhook('linkerd/injector'), [certificate(dnsNames)])).toEqual([]);
});

test.each([
  [[]],
  [['linkerd-proxy-injector']],
  [['linkerd-proxy-injector.linkerd']],
  [['linkerd-proxy-injector.other.svc']],
  [['*.svc']],
  [[`${HOST}.cluster.local`]],
])('a Certificate for %j does not cover the Service', (dnsNames) => {
  expect(check(webhook('linkerd/injector'), [certificate(dnsNames)])).toMatchObject([
    { finding: 'webhook-certificate-refused/names', host: HOST },
  ]);
});

test('synth does not check a webhook that names no Certificate', () => {
  expect(check(webhook(undefined), [])).toEqual([]);
});

test('the Certificate must exist, in the namespace that is named', () => {
  expect(check(webhook('certs/injector'), [certificate([HOST])])).toMatchObject([
    {
      finding: 'webhook-certificate-refused/missing',
      object: 'MutatingWebhookConfiguration it',
      annotation: 'cert-manager.io/inject-ca-from',
      certificate: 'certs/injector',
    },
  ]);
});

test('synth suggests a similar Certificate for a webhook', () => {
  const [problem] = checkWebhook(webhook('linkerd/injektor'), certificateNames([certificate([HOST])]));
  expect(problem?.fix).toContain('did you mean "linkerd/injector"?');
});

test('nothing is said of a Certificate that is only declared, with names that are not known', () => {
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
])('%s %s is checked, too', (apiVersion, kind, fields) => {
  expect(check(webhook('linkerd/injector', { apiVersion, kind, ...fields }), [certificate(['x'])])).toHaveLength(1);
});

test('each Service is reported once', () => {
  const hook = { clientConfig: { service: SERVICE } };
  expect(check(webhook('linkerd/injector', { webhooks: [hook, hook] }), [certificate([])])).toHaveLength(1);
});

test('webhooks at a URL have no Service', () => {
  const fields = { webhooks: [{ clientConfig: { url: 'https://hooks.example.com' } }] };
  expect(check(webhook('linkerd/injector', fields), [certificate([])])).toEqual([]);
});

test("other groups' Certificates do not count", () => {
  const other = { ...certificate([HOST]), apiVersion: 'networking.internal.knative.dev/v1alpha1' };
  expect(check(webhook('linkerd/injector'), [other])).toHaveLength(1);
});

test('a Certificate of another namespace than the Service, whose Secret no pod of that can mount', () => {
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

  test.each(['inject-ca-from', 'inject-ca-from-secret', 'inject-apiserver-ca'])('beside %s', (name) => {
    const parameters = {
      object: 'APIService v1.api',
      field: 'spec.caBundle',
      annotation: `cert-manager.io/${name}`,
    };
    expect(checkCaBundle(apiService(`cert-manager.io/${name}`))).toMatchObject([
      { code: 'ca-bundle-contested', parameters },
    ]);
  });

  test('in a list', () => {
    const webhooks = [{ clientConfig: {} }, { clientConfig: { caBundle: '' } }];
    const [problem] = checkCaBundle(webhook('linkerd/it', { webhooks }));
    expect(problem?.parameters).toMatchObject({ field: 'webhooks[1].clientConfig.caBundle' });
  });

  test('by itself is fine', () => {
    expect(checkCaBundle(apiService('example.com/other'))).toEqual([]);
  });
});
