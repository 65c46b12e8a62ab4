import { LinkerdConfig, LinkerdMesh, type LinkerdVersion } from '#lib';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { ALIASES, LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { sampled } from '../../support/depth';
import { errorsIn } from '../../support/findings';

function build(version: LinkerdVersion) {
  return buildCluster({
    name: 'home',
    props: {},
    build: (cluster) => {
      const { operator } = new LinkerdMesh<LinkerdVersion>(cluster, 'mesh', {
        version,
        cni: {},
        multus: { namespaces: ['linkerd-viz', 'linkerd-jaeger', 'tracing'] },
        crds: { gatewayApi: 'existing' },
        monitoring: { namespace: 'monitoring' },
        tempo: { service: 'tempo', namespace: 'tracing', serviceAccount: 'tempo' },
        rotation: {},
        operator: {},
      });
      new LinkerdConfig(cluster, 'config', { operator, values: { proxy: { logLevel: 'warn' } } });
    },
  });
}

const aliases: Readonly<Record<string, string>> = ALIASES;
const RELEASES = LINKERD_VERSIONS.map((name) => [name, aliases[name] ?? name] as const);

test.each(sampled(RELEASES))('all parts of a mesh of %s name only that release', (name, version) => {
  const { files, findings } = build(name);
  expect(errorsIn(findings)).toEqual([]);
  const others = new Set(
    [...files.values()].flatMap((text) =>
      [...text.matchAll(/\b(?:edge-\d\d\.\d+\.\d+|20\d\d\.\d+\.\d+)\b/g)].map(([named]) => named),
    ),
  );
  const chart = version.replace(/^edge-/, '20');
  expect([...others].filter((other) => other !== version && other !== chart)).toEqual([]);
  expect([...files.values()].join('\n')).toContain(version);
});
