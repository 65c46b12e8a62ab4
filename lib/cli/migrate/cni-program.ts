import { pullSecrets } from '../../control-plane/control-plane-objects';
import { defaultsOf } from '../../releases/chart-defaults';
import { mergeValues } from '../../releases/values';
import { DEFAULT_LINKERD_VERSION } from '../../releases/versions';
import { changedValues } from './changed-values';
import { Call, type Code, Name } from './code';
import { takePodSecurityPolicy } from './decided-values';
import type { Migration, MigrationRequest } from './migration';
import { printProgram } from './program';
import { RemainingValues } from './remaining-values';

/** The program for values of linkerd2-cni. */
export function cniProgram({ version, values, namespace, remarks }: MigrationRequest): Migration {
  const { cni } = defaultsOf(version);
  const remaining = new RemainingValues(changedValues(cni, mergeValues(cni, values)));
  const warnings = takePodSecurityPolicy(remaining);
  const props = {
    version: version === DEFAULT_LINKERD_VERSION ? undefined : version,
    namespace: namespace === 'linkerd-cni' ? undefined : namespace,
    values: remaining.values as Code | undefined,
  };
  const external = pullSecrets(namespace ?? 'linkerd-cni', values);
  const isPlain = Object.values(props).every((prop) => prop === undefined);
  const result = new Call('new LinkerdCni', new Name('scope'), 'cni', ...(isPlain ? [] : [props]));
  return { program: printProgram({ name: 'linkerdCni', statements: [], remarks, external, result }), warnings };
}
