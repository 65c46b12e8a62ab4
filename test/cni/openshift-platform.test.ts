import { type Cluster, LinkerdMesh } from '../../lib';
import { buildCluster } from '../../lib/platform/build-cluster';

function openShift(cluster: Cluster): void {
  new LinkerdMesh(cluster, 'mesh', {
    delivery: 'helm',
    cni: { openShift: true },
    multus: {
      namespaces: ['linkerd-viz', { name: 'shop', proxyUid: 1000682102 }],
      operatorNamespace: 'linkerd-multus-controller',
    },
  });
}

test('a mesh on OpenShift passes all checks of a cluster, and every account has its SCC', () => {
  const { files, problems } = buildCluster({ name: 'openshift', props: {}, build: openShift });
  expect(problems).toEqual([]);
  const bindings = [...files.keys()].filter((path) => path.includes('rolebinding.'));
  expect(
    bindings.map((path) => path.replace(/\/.*rolebinding\.linkerd-scc-/, ': ').replace('.yaml', '')).sort(),
  ).toEqual([
    'linkerd-cni: privileged',
    'linkerd-viz: anyuid',
    'linkerd-viz: nonroot-v2',
    'linkerd: nonroot-v2',
    'linkerd: privileged',
  ]);
});
