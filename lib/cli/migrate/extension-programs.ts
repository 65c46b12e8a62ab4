import { mergeValues } from '#base/values';
import { TODO } from '#kubernetes/findings/findings';
import { chartNamed } from '#linkerd/renderers/native-charts';
import { CLI_FINDINGS } from '../findings';
import { Call, type Code, Name } from './code';
import type { MigrationRequest, PartMigration } from './migration';
import { changedValues, RemainingValues, takePodSecurityPolicy, takeVersion, takeWebhooks } from './remaining-values';

/** Values that extensions take from their control plane. */
const DECIDED = ['clusterDomain', 'identityTrustDomain', 'linkerdNamespace', 'createNamespaceMetadataJob'];

/** Returns the construct for values of linkerd2-cni. */
export function cniProgram({ chart, release, values, namespace, remarks }: MigrationRequest): PartMigration {
  const remaining = remainingOf({ chart, values });
  const warnings = takePodSecurityPolicy(remaining);
  const result = new Call('new LinkerdCni', new Name('scope'), 'cni', {
    version: release.version,
    namespace: namespace === chart.namespace ? undefined : namespace,
    values: remaining.values as Code | undefined,
  });
  const external = chart.requires(values, namespace ?? chart.namespace);
  return { name: 'linkerdCni', variable: 'cni', statements: [], remarks, external, result, warnings };
}

/** Returns the construct for values of linkerd-crds, if no control plane is migrated with them. */
export function crdsProgram({ chart, release, values, remarks }: MigrationRequest): PartMigration {
  const result = new Call('new LinkerdCrds', new Name('scope'), 'crds', {
    version: release.version,
    values: remainingOf({ chart, values }).values as Code | undefined,
  });
  return { name: 'linkerdCrds', variable: 'crds', statements: [], remarks, external: [], result, warnings: [] };
}

/** Returns the construct for values of linkerd-multicluster. */
export function multiclusterProgram({ chart, release, values, remarks }: MigrationRequest): PartMigration {
  const { version } = release;
  if (chartNamed('linkerd-multicluster', release) === undefined) {
    return { problems: [CLI_FINDINGS.releaseRefusedNoConstruct({ chart: 'linkerd-multicluster', release: version })] };
  }
  const remaining = remainingOf({ chart, values });
  const warnings = [...takeVersion(remaining, release), ...takePodSecurityPolicy(remaining)];
  for (const path of DECIDED) remaining.take(path);
  const noGateway = remaining.take('gateway.enabled') === false;
  if (noGateway) remaining.take('gateway');
  const noAccounts = remaining.take('remoteMirrorServiceAccount') === false;
  const accounts = noAccounts ? undefined : remaining.take('remoteMirrorServiceAccountName');
  const named = typeof accounts === 'string' ? [accounts] : accounts;
  const result = new Call('new Multicluster', new Name('scope'), 'multicluster', {
    controlPlane: new Name('controlPlane'),
    gateway: noGateway ? false : undefined,
    remoteAccounts: noAccounts ? false : (named as Code | undefined),
    createNamespaces: remaining.take('enableNamespaceCreation') === true ? true : undefined,
    // Always set: by default, the construct follows its control plane.
    highAvailability: false,
    values: remaining.values as Code | undefined,
  });
  const name = 'multicluster';
  const external = chart.requires(mergeValues(chart.defaults, values), chart.namespace);
  return { name, variable: name, needsControlPlane: true, statements: [], remarks, external, result, warnings };
}

/** Returns the construct for values of linkerd-jaeger, which sends spans to a Tempo that the values do not contain. */
export function jaegerProgram({ chart, release, values, remarks }: MigrationRequest): PartMigration {
  const remaining = remainingOf({ chart, values });
  const warnings = [
    CLI_FINDINGS.notMigratedTempo({}),
    ...takeWebhooks(remaining, [{ key: 'webhook', certificate: `${chart.namespace}/jaeger-injector` }]),
    ...takeVersion(remaining, release),
    ...takePodSecurityPolicy(remaining),
  ];
  for (const path of [...DECIDED, 'collector', 'jaeger', 'webhook.collectorSvcAddr', 'webhook.collectorSvcAccount']) {
    remaining.take(path);
  }
  // Since 2.15, proxies send spans without the chart.
  const hasChart = chartNamed('linkerd-jaeger', release) !== undefined;
  const left = hasChart ? [] : Object.keys(remaining.values ?? {});
  warnings.push(...left.map((key) => CLI_FINDINGS.notMigratedSetting({ place: `values.${key}` })));
  const result = new Call('new JaegerToTempo', new Name('scope'), 'tracing', {
    controlPlane: new Name('controlPlane'),
    tempo: { service: TODO, namespace: TODO, serviceAccount: TODO },
    values: hasChart ? (remaining.values as Code | undefined) : undefined,
  });
  const above = ['TODO: tempo names the Service and the ServiceAccount of the Grafana Tempo that receives spans.'];
  const common = { name: 'tracing', variable: 'tracing', needsControlPlane: true, statements: [], above };
  return { ...common, remarks, external: [], result, warnings };
}

function remainingOf({ chart: { defaults }, values }: Pick<MigrationRequest, 'chart' | 'values'>): RemainingValues {
  return new RemainingValues(changedValues(defaults, mergeValues(defaults, values)));
}
