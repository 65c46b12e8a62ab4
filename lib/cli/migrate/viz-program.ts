import { redact } from '#base/findings/redaction';
import { mergeValues } from '#base/values';
import { TODO } from '#kubernetes/findings/findings';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { checkVizAvailability, checkVizValues } from '../../constructs/viz/viz-values';
import { Call, type Code, durationCode, Name } from './code';
import type { MigrationRequest, PartMigration } from './migration';
import { changedValues, RemainingValues, takePodSecurityPolicy, takeVersion, takeWebhooks } from './remaining-values';

/** Values that the construct copies from its control plane, or does not need, because it labels the namespace. */
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
  // The program contains the values about which synth reports these problems.
  warnings.push(...checkVizValues(remaining.values ?? {}, release));
  const given = prometheus(remaining);

  const external = chart.requires(all, chart.namespace);
  const result = new Call('new Viz', new Name('scope'), 'viz', {
    controlPlane: new Name('controlPlane'),
    prometheus: given.call,
    grafana: grafana(remaining),
    enforcedHostRegexp: remaining.takeText('dashboard.enforcedHostRegexp'),
    // Always set: by default, Viz follows its control plane.
    highAvailability,
    values: remaining.values as Code | undefined,
  });
  const name = 'viz';
  const common = { name, variable: name, needsControlPlane: true, statements: [], above: given.above };
  return { ...common, remarks, external, result, warnings };
}

function prometheus(remaining: RemainingValues): { readonly call: Call; readonly above: readonly string[] } {
  const enabled = remaining.take('prometheus.enabled');
  if (enabled === undefined || enabled === true) {
    const retention = remaining.takeText(RETENTION, (text) => durationCode(text) !== undefined);
    const props = retention === undefined ? [] : [{ retention: durationCode(retention) }];
    return { call: new Call('Prometheus.embedded', ...props), above: [] };
  }
  const url = takeUrl(remaining, 'prometheusUrl');
  const credentialsSecret = remaining.takeText('prometheusCredsSecret');
  const call = new Call('Prometheus.fromUrl', { url: url ?? TODO, credentialsSecret });
  return { call, above: url === undefined ? [NO_PROMETHEUS] : [] };
}

const NO_PROMETHEUS =
  'TODO: url is the address of the Prometheus that scrapes the mesh; Prometheus.embedded() installs one.';

function grafana(remaining: RemainingValues): Call | undefined {
  const inCluster = takeUrl(remaining, 'grafana.url');
  if (inCluster !== undefined) return new Call('Grafana.fromService', { url: inCluster });
  const url = takeUrl(remaining, 'grafana.externalUrl');
  if (url === undefined) return undefined;
  return new Call('Grafana.fromUrl', { url, uidPrefix: remaining.takeText('grafana.uidPrefix') });
}

/** Replaces a URL with credentials by a TODO, because programs are in Git. */
function takeUrl(remaining: RemainingValues, path: string): string | undefined {
  const url = remaining.takeText(path);
  return url === undefined || redact(url) === url ? url : TODO;
}
