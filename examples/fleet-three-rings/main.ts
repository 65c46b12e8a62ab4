import { LinkerdMesh, Platform, Reference, readFleet } from 'cdk8s-linkerd';

interface Settings {
  /** Zones of the cluster: with fewer than three, replicas of the control plane would share one. */
  readonly zones: number;
}

const { rings, clusters } = readFleet<Settings>('fleet.yaml', {
  settings: {
    type: 'object',
    additionalProperties: false,
    required: ['zones'],
    properties: { zones: { type: 'integer', minimum: 1 } },
  },
});

const monitoring = { namespace: 'monitoring' };
const external = [
  Reference.crd('podmonitors.monitoring.coreos.com'),
  Reference.crd('prometheusrules.monitoring.coreos.com'),
];

const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', revision: 'main', rings });

platform.addClusters(
  clusters.map((cluster) => ({ ...cluster, external })),
  (cluster, { zones }) => {
    new LinkerdMesh(cluster, 'mesh', {
      crds: { gatewayApi: 'install' },
      highAvailability: zones >= 3,
      monitoring,
      operator: {},
      viz: false,
    });
  },
);

platform.run();
