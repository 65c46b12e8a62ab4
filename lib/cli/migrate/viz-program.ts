import { mergeValues } from '#base/values';
import { checkVizAvailability, checkVizValues } from '../../constructs/viz/viz-values';
import { defaultsOf } from '../../linkerd/releases/chart-defaults';
import { Call, type Code, durationCode, Name } from './code';
import type { MigrationRequest, PartMigration } from './migration';
import { changedValues, RemainingValues, takePodSecurityPolicy, takeVersion, takeWebhooks } from './remaining-values';

/** Values that Viz's control plane sets, and that of the namespace, which is emitted with its labels. */
const DECIDED = ['clusterDomain', 'identityTrustDomain', 'linkerdNamespace', 'createNamespaceMetadataJob'];

const RETENTION = ['prometheus', 'args', 'storage.tsdb.retention.time'];

/** Returns the construct for values of linkerd-viz. */
export function vizProgram({ chart, release, values, remarks }: MigrationRequest): PartMigration {
  const { defaults } = chart;
  const all = mergeValues(defaults, values);
  const highAvailability = checkVizAvailability(all, release).length === 0;
  const base = highAvailability ? mergeValues(defaults, defaultsOf(release).vizHighAvailability) : defaults;
  const remaining = new RemainingValues(changedValues(base, all));

  const warnings = [
    ...takeWebhooks(remaining, [
      { key: 'tap', certificate: `${chart.namespace}/tap` },
      { key: 'tapInjector', certificate: `${chart.namespace}/tap-injector` },
    ]),
    ...takeVersion(remaining, release),
    ...takePodSecurityPolicy(remaining),
  ];
  for (const path of DECIDED) remaining.take(path);
  const problems = checkVizValues(remaining.values ?? {}, release);
  if (problems.length > 0) return { problems };

  const external = chart.requires(all, chart.namespace);
  const result = new Call('new Viz', new Name('scope'), 'viz', {
    controlPlane: new Name('controlPlane'),
    prometheus: prometheus(remaining),
    grafana: grafana(remaining),
    enforcedHostRegexp: remaining.takeText('dashboard.enforcedHostRegexp'),
    // Set in either case: otherwise Viz would follow its control plane.
    highAvailability,
    values: remaining.values as Code | undefined,
  });
  const name = 'viz';
  return { name, variable: name, needsControlPlane: true, statements: [], remarks, external, result, warnings };
}

function prometheus(remaining: RemainingValues): Call {
  if (remaining.take('prometheus.enabled') === false) {
    return new Call('Prometheus.fromUrl', {
      url: remaining.takeText('prometheusUrl'),
      credentialsSecret: remaining.takeText('prometheusCredsSecret'),
    });
  }
  const retention = remaining.takeText(RETENTION, (text) => durationCode(text) !== undefined);
  return new Call('Prometheus.embedded', ...(retention === undefined ? [] : [{ retention: durationCode(retention) }]));
}

function grafana(remaining: RemainingValues): Call | undefined {
  const inCluster = remaining.takeText('grafana.url');
  if (inCluster !== undefined) return new Call('Grafana.fromService', { url: inCluster });
  const url = remaining.takeText('grafana.externalUrl');
  if (url === undefined) return undefined;
  return new Call('Grafana.fromUrl', { url, uidPrefix: remaining.takeText('grafana.uidPrefix') });
}
