import { operatorWebhooks, webhookConfigurations } from '../../../lib/constructs/operator/operator-webhooks';

const MULTUS = { operatorNamespace: 'op', linkerdNamespace: 'linkerd', cniNamespace: 'linkerd-cni' };
const SERVING = { namespace: 'op', injectCaFrom: 'op/linkerd-reconciler-webhook' };

const configurations = (multus?: typeof MULTUS) => webhookConfigurations(operatorWebhooks(multus), SERVING);
const named = (multus?: typeof MULTUS) =>
  configurations(multus).map(({ kind, metadata }) => `${kind} ${metadata?.name}`);

test('there is one configuration of each name and kind', () => {
  expect(named(MULTUS).sort()).toEqual([
    'MutatingWebhookConfiguration linkerd-multus-webhook-config',
    'MutatingWebhookConfiguration linkerd-reconciler',
    'ValidatingWebhookConfiguration linkerd-reconciler',
  ]);
});

test('pods are looked at for Multus only', () => {
  const resources = (multus?: typeof MULTUS) =>
    configurations(multus).flatMap(({ webhooks = [] }) =>
      webhooks.flatMap(({ rules = [] }) => rules.flatMap((rule) => rule.resources ?? [])),
    );
  expect(resources(MULTUS)).toContain('pods');
  expect(resources()).not.toContain('pods');
});

test('what changes pods runs before the proxy injector, whose configuration sorts after it', () => {
  const pods = configurations(MULTUS).filter(({ webhooks }) => JSON.stringify(webhooks).includes('"pods"'));
  expect(pods.map(({ metadata }) => metadata?.name ?? '')).toHaveLength(1);
  for (const { metadata } of pods) expect((metadata?.name ?? '') < 'linkerd-proxy-injector-webhook-config').toBe(true);
});

test('the API server is told where they are, and whom to trust by cainjector alone', () => {
  for (const { metadata, webhooks = [] } of configurations(MULTUS)) {
    expect(metadata?.annotations).toEqual({ 'cert-manager.io/inject-ca-from': 'op/linkerd-reconciler-webhook' });
    for (const webhook of webhooks) {
      expect(webhook).toMatchObject({ admissionReviewVersions: ['v1'], sideEffects: 'None' });
      expect(webhook.clientConfig.service).toEqual({
        name: 'linkerd-reconciler-webhook',
        namespace: 'op',
        path: expect.stringMatching(/^\//),
      });
      expect(webhook.clientConfig).not.toHaveProperty('caBundle');
    }
  }
});

test('only what is about the operator itself may fail while it is down, and nothing waits for it at deletion', () => {
  for (const { webhooks = [] } of configurations(MULTUS)) {
    for (const { failurePolicy, rules = [] } of webhooks) {
      const resources = rules.flatMap((rule) => rule.resources ?? []);
      expect([failurePolicy, resources]).toEqual(
        resources.includes('pods') ? ['Ignore', ['pods']] : ['Fail', ['linkerdconfigs']],
      );
      expect(rules.flatMap((rule) => rule.operations ?? [])).not.toContain('DELETE');
    }
  }
});
