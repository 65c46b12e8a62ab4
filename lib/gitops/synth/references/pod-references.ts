import { POD_SPEC } from '../../../kubernetes/pod-places';
import type { ReferenceRule } from './reference-rules';

const IN_CONTAINER: readonly ReferenceRule[] = [
  { at: 'env[].valueFrom.secretKeyRef', kind: 'Secret' },
  { at: 'env[].valueFrom.configMapKeyRef', kind: 'ConfigMap' },
  { at: 'envFrom[].secretRef', kind: 'Secret' },
  { at: 'envFrom[].configMapRef', kind: 'ConfigMap' },
];

const IN_POD: readonly ReferenceRule[] = [
  { at: 'volumes[].secret', name: 'secretName', kind: 'Secret' },
  { at: 'volumes[].configMap', kind: 'ConfigMap' },
  { at: 'volumes[].projected.sources[].secret', kind: 'Secret' },
  { at: 'volumes[].projected.sources[].configMap', kind: 'ConfigMap' },
  { at: 'volumes[].csi.nodePublishSecretRef', kind: 'Secret' },
  { at: 'imagePullSecrets[]', kind: 'Secret' },
  ...below('containers[]', IN_CONTAINER),
  ...below('initContainers[]', IN_CONTAINER),
];

/** The places at which pods refer to Secrets, ConfigMaps and their ServiceAccount, for every kind that makes pods. */
export const POD_RULES: Readonly<Record<string, readonly ReferenceRule[]>> = Object.fromEntries(
  Object.entries(POD_SPEC).map(([kind, spec]) => [
    kind,
    [{ at: spec, name: 'serviceAccountName', kind: 'ServiceAccount' }, ...below(spec, IN_POD)],
  ]),
);

function below(path: string, rules: readonly ReferenceRule[]): readonly ReferenceRule[] {
  return rules.map((rule) => ({ ...rule, at: `${path}.${rule.at}` }));
}
