import type { Values } from '../../../../../lib/kubernetes/values';
import { find, render } from '../fixture';

const injector = (proxyInjector: Values) =>
  JSON.parse(
    JSON.stringify(
      find(render({ proxyInjector }), 'MutatingWebhookConfiguration', 'linkerd-proxy-injector-webhook-config'),
    ),
  );

test('cert-manager injects the CA of a Certificate', () => {
  const { metadata, webhooks } = injector({ injectCaFrom: 'linkerd/x' });
  expect(metadata.annotations).toEqual({ 'cert-manager.io/inject-ca-from': 'linkerd/x' });
  expect(webhooks[0].clientConfig).not.toHaveProperty('caBundle');
});

test('cert-manager injects the CA of a Secret', () => {
  const { metadata } = injector({ injectCaFrom: '', injectCaFromSecret: 'linkerd/y' });
  expect(metadata.annotations).toEqual({ 'cert-manager.io/inject-ca-from-secret': 'linkerd/y' });
});

test('a CA of the values is there at once', () => {
  const { metadata, webhooks } = injector({ injectCaFrom: '', caBundle: 'CA\n' });
  expect(metadata).not.toHaveProperty('annotations');
  expect(webhooks[0].clientConfig.caBundle).toBe(Buffer.from('CA').toString('base64'));
});

test('a timeout of zero is the default one', () => {
  expect(injector({ timeoutSeconds: 0 }).webhooks[0].timeoutSeconds).toBe(10);
});

test('selectors may be removed', () => {
  expect(injector({ objectSelector: null }).webhooks[0]).not.toHaveProperty('objectSelector');
  expect(injector({ objectSelector: { matchExpressions: null } }).webhooks[0].objectSelector).toEqual({});
});
