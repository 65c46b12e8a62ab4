import { type Cluster, type Delivery, LinkerdMesh, type LinkerdMeshProps, type LinkerdVersion } from '#lib';
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

const tempo = { service: 'tempo', namespace: 'tracing', serviceAccount: 'tempo' };
const RENDERED = ['cert-manager', 'linkerd-crds'];
const BY_HELM = ['cert-manager', 'linkerd', 'linkerd-cni', 'linkerd-crds', 'linkerd-viz'];

test.each<[LinkerdMeshProps, readonly string[]]>([
  [{}, RENDERED],
  [{ delivery: 'manifests' }, RENDERED],
  [{ delivery: 'helm' }, BY_HELM],
  [{ version: 'stable-2.14.10', tempo }, RENDERED],
  [{ version: 'stable-2.14.10', tempo, delivery: 'helm' }, [...BY_HELM, 'linkerd-jaeger']],
])('in a mesh with %j, Argo CD renders the charts %j', (props, expected) => {
  const { files, problems } = build({ cni: {}, ...props });
  expect(problems).toEqual([]);
  expect(charts(files).sort()).toEqual([...expected].sort());
});

describe.each<Delivery>(['manifests', 'helm'])('with delivery %s', (delivery) => {
  it('a value that the chart refuses is one problem', () => {
    const { problems } = build({ delivery, values: { proxyInit: { closeWaitTimeoutSecs: 3 } } });
    expect(problems).toEqual([expect.stringContaining('closeWaitTimeoutSecs')]);
  });

  it('an unknown value is one problem', () => {
    const { problems } = build({ delivery, values: { proxy: { logLevle: 'info' } } as never });
    expect(problems).toEqual([expect.stringContaining('proxy.logLevel')]);
  });
});
