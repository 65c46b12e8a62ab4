import { App } from 'cdk8s';
import { parse } from 'yaml';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Cluster } from '#lib/gitops/tree/cluster';
import { synthCluster } from '../../support/synth-cluster';

test.each([
  ['objects rendered by synth', false],
  ['objects created by a call of objects()', true],
])('the injector starts after linkerd-destination, with %s', (_, asConstructs) => {
  const cluster = new Cluster(new App(), 'home', {});
  const { controlPlane } = new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, viz: false });
  if (asConstructs) controlPlane.objects();
  const { files, findings } = synthCluster(cluster);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const waveOf = (deployment: string) =>
    Number(
      parse(files.get(`linkerd/deployment.${deployment}.yaml`) ?? '').metadata.annotations[
        'argocd.argoproj.io/sync-wave'
      ],
    );
  expect(waveOf('linkerd-proxy-injector')).toBeGreaterThan(waveOf('linkerd-destination'));
  expect(waveOf('linkerd-identity')).toBe(waveOf('linkerd-destination'));
});
