import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkQuota } from '#lib/checks/linkerd/quota-check';
import { PodIndex } from '#lib/checks/policy/pod-index';
import { proxySettings } from '#lib/checks/policy/proxy-settings';
import { facts } from '../../support/findings';
import { namespace, SHOP, workload } from '../policy/fixture';

const object = (kind: string, spec: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'q', namespace: 'shop' },
  spec,
});
const quota = (...keys: readonly string[]) =>
  object('ResourceQuota', { hard: Object.fromEntries(keys.map((key) => [key, '8'])) });
const range = (limits: object) => object('LimitRange', { limits: [{ type: 'Container', ...limits }] });

function check(of: KubernetesObject, others: readonly KubernetesObject[], values: Values = {}) {
  const objects = [of, ...others];
  const limitRanges = objects.filter(({ kind }) => kind === 'LimitRange');
  const index = new PodIndex(objects, () => proxySettings(values));
  return checkQuota(of, { index, values, limitRanges }).map(facts);
}

const WEB = workload('web');
const LIMITS = { 'config.linkerd.io/proxy-cpu-limit': '1', 'config.linkerd.io/proxy-memory-limit': '250Mi' };

test.each([
  [['limits.cpu', 'limits.memory'], 'limits.cpu, limits.memory'],
  [['requests.cpu', 'pods', 'configmaps'], 'requests.cpu'],
  [['memory'], 'memory'],
])('checkQuota reports pods with proxies that lack resources for a quota of %j', (keys, missing) =>
  expect(check(quota(...keys), [SHOP, WEB])).toMatchObject([
    { finding: 'proxy-resources-refused', quota: 'ResourceQuota shop/q', pods: 'Deployment shop/web', missing },
  ]),
);

const ALL = quota('requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory');

test.each<[string, readonly KubernetesObject[], Values?]>([
  ['limits in annotations of the pods', [SHOP, workload('web', {}, { annotations: LIMITS })]],
  ['limits in annotations of the namespace', [namespace('shop', LIMITS), WEB]],
  ['limits in values', [SHOP, WEB], { proxy: { resources: { cpu: { limit: 1 }, memory: { limit: '250Mi' } } } }],
  ['a LimitRange with defaults', [SHOP, WEB, range({ default: { cpu: '1', memory: '250Mi' } })]],
  ['a LimitRange with maximums', [SHOP, WEB, range({ max: { cpu: '1', memory: '250Mi' } })]],
  ['no proxy', [namespace('shop', { 'linkerd.io/inject': 'disabled' }), WEB]],
  ['no workload', [SHOP]],
])('checkQuota reports nothing with %s', (_, others, values = {}) => expect(check(ALL, others, values)).toEqual([]));

test('checkQuota ignores quotas with a scope, and those for other resources', () => {
  expect(check(object('ResourceQuota', { hard: { 'limits.cpu': '8' }, scopes: ['BestEffort'] }), [SHOP, WEB])).toEqual(
    [],
  );
  expect(check(quota('pods', 'limits.ephemeral-storage'), [SHOP, WEB])).toEqual([]);
});

test('checkQuota reports missing limits if only requests are set', () => {
  const values = { proxy: { resources: { cpu: { request: '100m' }, memory: { request: '20Mi', limit: '250Mi' } } } };
  expect(check(ALL, [SHOP, WEB], values)).toMatchObject([{ missing: 'limits.cpu' }]);
});

test('checkQuota reports a proxy outside the range of a LimitRange', () => {
  const values = { proxy: { resources: { cpu: { request: '100m', limit: '2' }, memory: { request: '20Mi' } } } };
  expect(check(range({ min: { memory: '64Mi' } }), [SHOP, WEB], values)).toMatchObject([
    { finding: 'proxy-resources-refused/minimum', resource: 'memory', amount: '20Mi', allowed: '64Mi' },
  ]);
  expect(check(range({ max: { cpu: '1' } }), [SHOP, WEB], values)).toMatchObject([
    { finding: 'proxy-resources-refused/maximum', resource: 'cpu', amount: '2', allowed: '1' },
  ]);
  expect(check(range({ min: { cpu: '100m' }, max: { cpu: '2' } }), [SHOP, WEB], values)).toEqual([]);
});

test('checkQuota accepts objects of any shape without an exception', () => {
  for (const spec of [
    undefined,
    null,
    [],
    { hard: null },
    { hard: [] },
    { limits: {} },
    { limits: [null, { type: 'Container', max: 1 }] },
  ]) {
    for (const kind of ['ResourceQuota', 'LimitRange']) {
      expect(check(object(kind, spec as object), [SHOP, WEB])).toEqual([]);
    }
  }
});
