import { mergeValues, type Values } from '#base/values';
import { checkInjectorDeadlocks } from '#lib/checks/linkerd/injector-deadlock';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';

const EXEMPT = { 'config.linkerd.io/admission-webhooks': 'disabled' };
const NEEDED = [
  { name: 'kube-system', labels: EXEMPT },
  { name: 'cert-manager', labels: {} },
  { name: 'linkerd', labels: EXEMPT },
];
const NOT_DISABLED = { key: 'config.linkerd.io/admission-webhooks', operator: 'NotIn', values: ['disabled'] };
const failing = (...matchExpressions: readonly Values[]): Values => ({
  webhookFailurePolicy: 'Fail',
  proxyInjector: { namespaceSelector: { matchExpressions } },
});
const caught = (values: Values) => checkInjectorDeadlocks(values, NEEDED);

test.each(LINKERD_VERSIONS)('the injector of %s does not block the pods that it needs itself', (version) => {
  const { controlPlane, highAvailability } = defaultsOf(releaseOf(version));
  expect(caught(mergeValues(controlPlane, highAvailability))).toEqual([]);
});

test('synth compares the namespace selector of the injector with labels of namespaces', () =>
  expect(caught(failing(NOT_DISABLED))).toMatchObject([
    { code: 'injector-deadlock', parameters: { namespaces: 'cert-manager' } },
  ]));

test('an injector that selects namespaces by label blocks no other namespace', () =>
  expect(caught(failing({ key: 'mesh', operator: 'Exists' }))).toEqual([]));

test('an injector with the failure policy Ignore blocks no pods', () =>
  expect(caught({ ...failing(), webhookFailurePolicy: 'Ignore' })).toEqual([]));
