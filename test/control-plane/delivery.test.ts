import type { Cluster, Delivery, LinkerdVersion } from '../../lib';
import { LinkerdMesh, type LinkerdMeshProps } from '../../lib';
import { buildCluster } from '../../lib/synth/build-cluster';
import { errorsIn } from '../support/findings';

function build<V extends LinkerdVersion>(props: LinkerdMeshProps<V>) {
  const { files, findings } = buildCluster({
    name: 'home',
    props: {},
    build: (cluster: Cluster) => {
      new LinkerdMesh<V>(cluster, 'mesh', props);
    },
  });
  return { files: [...files.keys()], problems: errorsIn(findings).map(({ path, message }) => `${path}: ${message}`) };
}

const charts = (files: readonly string[]) =>
  files.filter((file) => file.endsWith('/Chart.yaml')).map((file) => file.split('/')[0]);

describe.each<[Delivery | undefined, readonly string[]]>([
  [undefined, ['cert-manager', 'linkerd-crds']],
  ['manifests', ['cert-manager', 'linkerd-crds']],
  ['helm', ['cert-manager', 'linkerd', 'linkerd-cni', 'linkerd-crds', 'linkerd-viz']],
])('delivery %s', (delivery, expected) => {
  it('leaves these charts to Argo CD', () => {
    const { files, problems } = build({ delivery, cni: {} });
    expect(problems).toEqual([]);
    expect(charts(files).sort()).toEqual(expected);
  });
});

describe('2.14', () => {
  it('leaves nothing but CRDs of Linkerd to Helm', () => {
    const { files, problems } = build({ version: 'stable-2.14.10', cni: {} });
    expect(problems).toEqual([]);
    expect(charts(files).sort()).toEqual(['cert-manager', 'linkerd-crds']);
    expect(files).toContain('linkerd/deployment.linkerd-destination.yaml');
  });

  it('is left to Helm where somebody wants it', () => {
    const tempo = { service: 'tempo', namespace: 'tracing', serviceAccount: 'tempo' };
    const { files, problems } = build({ version: 'stable-2.14.10', delivery: 'helm', cni: {}, tempo });
    expect(problems).toEqual([]);
    expect(charts(files).sort()).toEqual([
      'cert-manager',
      'linkerd',
      'linkerd-cni',
      'linkerd-crds',
      'linkerd-jaeger',
      'linkerd-viz',
    ]);
  });
});
