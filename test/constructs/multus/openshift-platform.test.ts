import { LinkerdMesh, type LinkerdMeshProps, Prometheus } from '#lib';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { errorsIn } from '../../support/findings';

const MULTUS_CRD = {
  external: [{ kind: 'CustomResourceDefinition', name: 'network-attachment-definitions.k8s.cni.cncf.io' }],
} as const;
const EXTERNAL = Prometheus.fromUrl({ url: 'http://prometheus.monitoring:9090' });

/** Returns the files of a cluster, and the messages of its errors. */
function built(props: Partial<LinkerdMeshProps<'edge-26.8.3'>>) {
  const { files, findings } = buildCluster({
    name: 'openshift',
    props: MULTUS_CRD,
    build: (cluster) =>
      void new LinkerdMesh(cluster, 'mesh', { cni: { openShift: true }, crds: { gatewayApi: 'existing' }, ...props }),
  });
  return { files, problems: errorsIn(findings).map(({ message }) => message) };
}

const waveOf = (text: string) => Number(/sync-wave: "(-?\d+)"/.exec(text)?.[1] ?? 0);

describe.each(['helm', 'manifests'] as const)('with delivery %s', (delivery) => {
  test.each([
    ['Multus', { multus: { namespaces: ['linkerd-viz'], operatorNamespace: 'linkerd-multus-controller' } }],
    ['the CNI plugin alone', {}],
  ])('and %s, each SCC grant precedes the pods that need it', (_name, multus) => {
    const { files, problems } = built({ delivery, ...multus });
    expect(problems).toEqual([]);
    const bindings = [...files].filter(([path]) => path.includes('rolebinding.linkerd-scc-'));
    expect(bindings).toHaveLength(5);
    for (const [path, text] of bindings) {
      const [folder = ''] = path.split('/');
      const workloads = [...files].filter(([file]) => new RegExp(`^${folder}/(?:deployment|daemonset)\\.`).test(file));
      expect([folder, workloads.length > 0]).toEqual([folder, delivery === 'manifests']);
      // Objects of a chart are in wave 0.
      const earliest = Math.min(...(workloads.length > 0 ? workloads.map(([, object]) => waveOf(object)) : [0]));
      expect([path, waveOf(text) < earliest]).toEqual([path, true]);
    }
  });
});

test.each([[['linkerd-viz']], [undefined]])(
  'Viz with an external Prometheus has no SCC grant for a Prometheus, with the attached namespaces %j',
  (namespaces) => {
    const multus = namespaces && { multus: { namespaces, operatorNamespace: 'linkerd-multus-controller' } };
    const { files, problems } = built({ viz: { prometheus: EXTERNAL }, ...multus });
    expect(problems).toEqual([]);
    const binding = files.get('linkerd-viz/rolebinding.linkerd-scc-anyuid.yaml');
    expect(binding).toContain('name: metrics-api');
    expect(binding).not.toContain('name: prometheus');
  },
);
