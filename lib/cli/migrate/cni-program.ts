import { mergeValues } from '../../kubernetes/values';
import { Call, type Code, Name } from './code';
import type { Migration, MigrationRequest } from './migration';
import { printProgram } from './program';
import { changedValues, RemainingValues, takePodSecurityPolicy } from './remaining-values';

/** The program for values of linkerd2-cni. */
export function cniProgram({ chart, release, values, namespace, remarks }: MigrationRequest): Migration {
  const { defaults } = chart;
  const remaining = new RemainingValues(changedValues(defaults, mergeValues(defaults, values)));
  const warnings = takePodSecurityPolicy(remaining);
  const props = {
    version: release.version,
    namespace: namespace === chart.namespace ? undefined : namespace,
    values: remaining.values as Code | undefined,
  };
  const external = chart.requires(values, namespace ?? chart.namespace);
  const result = new Call('new LinkerdCni', new Name('scope'), 'cni', props);
  return { program: printProgram({ name: 'linkerdCni', statements: [], remarks, external, result }), warnings };
}
