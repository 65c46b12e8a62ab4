import type { Cluster, Delivery, LinkerdVersion } from '#lib';
import { LinkerdMesh, type LinkerdMeshProps } from '#lib';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { errorsIn } from '../../support/findings';

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
  const tempo = { service: 'tempo', namespace: 'tracing', serviceAccount: 'tempo' };

  it.each<Delivery | undefined>([undefined, 'manifests'])('is rendered with delivery %s', (delivery) => {
    const { files, problems } = build({ version: 'stable-2.14.10', delivery, cni: {}, tempo });
    expect(problems).toEqual([]);
    expect(charts(files).sort()).toEqual(['cert-manager', 'linkerd-crds']);
    expect(files).toEqual(
      expect.arrayContaining([
        'linkerd/deployment.linkerd-destination.yaml',
        'linkerd-cni/daemonset.linkerd-cni.yaml',
        'linkerd-jaeger/deployment.jaeger-injector.yaml',
        'linkerd-viz/deployment.web.yaml',
      ]),
    );
  });

  it('is left to Helm where somebody wants it', () => {
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

describe.each<Delivery>(['manifests', 'helm'])('with delivery %s', (delivery) => {
  it('what the chart refuses is one problem', () => {
    const { problems } = build({ delivery, values: { proxyInit: { closeWaitTimeoutSecs: 3 } } });
    expect(problems).toEqual([expect.stringContaining('closeWaitTimeoutSecs')]);
  });

  it('an unknown value is one problem', () => {
    const { problems } = build({ delivery, values: { proxy: { logLevle: 'info' } } as never });
    expect(problems).toEqual([expect.stringContaining('proxy.logLevel')]);
  });
});
