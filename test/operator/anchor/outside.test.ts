import type { KubeClient } from '#controller-runtime/client/kube-client';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import { outsideReader, unseenProxies } from '#operator/src/anchor/observe/outside';
import { apiError } from '../../support/controller-runtime/api-error';

const signal = new AbortController().signal;

/** Lists the objects given for an `apiVersion`. Other versions are not installed. */
function clientOf(kinds: Readonly<Record<string, readonly KubeObject[] | Error>>): Pick<KubeClient, 'list'> {
  const list = ({ apiVersion }: Resource, { transform }: { transform: (object: KubeObject) => KubeObject }) => {
    const objects = kinds[apiVersion] ?? apiError(404);
    return objects instanceof Error
      ? Promise.reject(objects)
      : Promise.resolve({ items: objects.map(transform), resourceVersion: '1' });
  };
  return { list: list as unknown as KubeClient['list'] };
}

const vm = { metadata: { name: 'vm', namespace: 'shop' }, spec: { meshTLS: { identity: 'x' } } };
const link = (name: string, targetClusterName?: string) => ({
  metadata: { name, namespace: 'mc', annotations: { some: 'thing' } },
  spec: { targetClusterName, clusterCredentialsSecret: 'x' },
});

test('the operator treats kinds that are not installed as empty, not as unreadable', async () => {
  expect(await outsideReader(clientOf({}))(signal)).toEqual({ workloads: [], links: [], unread: [] });
});

test.each(['v1alpha3', 'v1alpha1'])('the operator reads ExternalWorkloads, and Links of %s', async (version) => {
  const client = clientOf({
    'workload.linkerd.io/v1beta1': [vm],
    [`multicluster.linkerd.io/${version}`]: [link('b', 'east')],
  });
  expect(await outsideReader(client)(signal)).toEqual({
    workloads: [{ metadata: { name: 'vm', namespace: 'shop' } }],
    links: [{ metadata: { name: 'b', namespace: 'mc' }, spec: { targetClusterName: 'east' } }],
    unread: [],
  });
});

test.each([403, 500])(
  'the operator names kinds that it cannot read (%d), as objects of them may exist',
  async (status) => {
    const client = clientOf({
      'workload.linkerd.io/v1beta1': apiError(status),
      'multicluster.linkerd.io/v1alpha3': apiError(status),
    });
    expect((await outsideReader(client)(signal)).unread).toEqual(['externalworkloads', 'links']);
  },
);

test('a stopped rotation reads no other kinds', async () => {
  const reading = outsideReader(clientOf({ 'workload.linkerd.io/v1beta1': apiError(500) }));
  await expect(reading(AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
});

test('the operator reads trusted anchors of the clusters that share the anchor, and of no others', () => {
  const outside = { workloads: [vm], links: [link('c'), link('b', 'west'), link('a', 'east')] };
  expect(unseenProxies(outside, ['east'])).toEqual(['ExternalWorkload shop/vm', 'Link mc/b', 'Link mc/c']);
  expect(unseenProxies({ workloads: [], links: [link('a', 'east')] }, ['east'])).toEqual([]);
});
