import { parse } from 'yaml';
import type { RoleBinding } from '#imports/kubernetes';
import { type Cluster, type Delivery, LinkerdMesh } from '#lib';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { errorsIn } from '../../support/findings';

const tempo = { service: 'tempo', namespace: 'tracing', serviceAccount: 'tempo' };

describe.each<Delivery | undefined>([undefined, 'helm'])('for 2.14 on OpenShift with delivery %s,', (delivery) => {
  const { files, findings } = buildCluster({
    name: 'home',
    props: {},
    build: (cluster: Cluster) => {
      new LinkerdMesh(cluster, 'mesh', { version: 'stable-2.14.10', delivery, tempo, cni: { openShift: true } });
    },
  });
  const accountsOf = (namespace: string) => {
    const name = [...files.keys()].find(
      (file) => file.startsWith(`${namespace}/`) && file.endsWith('rolebinding.linkerd-scc-nonroot-v2.yaml'),
    );
    const binding = parse(`${files.get(name ?? '')}`) as RoleBinding | null;
    return binding?.subjects?.map((subject) => subject.name);
  };

  test('extensions and their jobs may run as the users that they name', () => {
    expect(errorsIn(findings)).toEqual([]);
    expect(accountsOf('linkerd-jaeger')).toEqual(['jaeger-injector', 'namespace-metadata']);
    expect(accountsOf('linkerd-viz')).toContain('namespace-metadata');
  });
});
