import type { Informer } from '#controller-runtime/cache/informer';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { annotationsOf, namespaceCache } from '#operator/src/multus/namespaces';

const cacheOf = (known: Readonly<Record<string, KubeObject>>) =>
  ({ get: (key: string) => known[key] }) as Informer<KubeObject>;
const apiServer = (get: (key: string, signal?: AbortSignal) => Promise<KubeObject | undefined>) =>
  ({ get: (_resource, key, options) => get(key, options?.signal) }) as KubeClient;
const namespace = (annotations?: Readonly<Record<string, string>>): KubeObject => ({
  metadata: { name: 'shop', annotations },
});

const nobody = apiServer(() => Promise.reject(new Error('asked')));

test('the webhook reads a cached namespace without a request', () => {
  const known = cacheOf({ shop: namespace({ a: '1' }), bare: namespace() });
  expect(annotationsOf(known, nobody)('shop')).toEqual({ a: '1' });
  expect(annotationsOf(known, nobody)('bare')).toEqual({});
});

test('the webhook asks the API server for a namespace that the cache lacks', async () => {
  const server = apiServer(async (key) => (key === 'new' ? namespace({ a: '1' }) : undefined));
  expect(await annotationsOf(cacheOf({}), server)('new')).toEqual({ a: '1' });
  expect(await annotationsOf(cacheOf({}), server)('gone')).toEqual({});
});

test('the webhook stops waiting for a namespace before the API server stops waiting for the webhook', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const server = apiServer(async (_key, signal) => {
    signals.push(signal);
    return undefined;
  });
  await annotationsOf(cacheOf({}), server)('new');
  await new Promise((resolve) => signals[0]?.addEventListener('abort', resolve));
  await expect(annotationsOf(cacheOf({}), nobody)('new')).rejects.toThrow('asked');
});

test('the webhook requests and keeps only the fields of a namespace that it reads', () => {
  const { transform, metadataOnly } = namespaceCache('range');
  expect(metadataOnly).toBe(true);
  const metadata = { name: 'shop', uid: 'u', resourceVersion: '5' };
  const kept = {
    'linkerd.io/multus': 'enabled',
    'linkerd.io/inject': 'enabled',
    'config.linkerd.io/proxy-uid': '7',
    range: '1/2',
  };
  const whole = {
    metadata: { ...metadata, labels: { a: '1' }, annotations: { ...kept, b: '2' }, finalizers: ['f'] },
    spec: {},
  };
  expect(transform?.(whole)).toEqual({ metadata: { ...metadata, annotations: kept } });
  expect(transform?.({ metadata: { ...metadata, deletionTimestamp: 'now' } }).metadata.deletionTimestamp).toBe('now');
});
