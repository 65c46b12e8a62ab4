import { operatorWebhooks, webhookConfigurations } from '#lib/constructs/operator/operator-webhooks';

const MULTUS = { operatorNamespace: 'op', linkerdNamespace: 'linkerd', cniNamespace: 'linkerd-cni' };
const SERVING = { namespace: 'op', injectCaFrom: 'op/linkerd-reconciler-webhook' };

const configurations = (multus?: typeof MULTUS) => webhookConfigurations(operatorWebhooks(multus), SERVING);
test('pods are looked at for Multus only', () => {
  const resources = (multus?: typeof MULTUS) =>
    configurations(multus).flatMap(({ webhooks = [] }) =>
      webhooks.flatMap(({ rules = [] }) => rules.flatMap((rule) => rule.resources ?? [])),
    );
  expect(resources(MULTUS)).toContain('pods');
  expect(resources()).not.toContain('pods');
});
