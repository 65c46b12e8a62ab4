import type { Problem } from '../../../../kubernetes/findings/problem';
import type { Values } from '../../../../kubernetes/values';
import { checkControlPlaneNamespace } from '../../rules/control-plane-namespace';
import { checkMissingMaps } from '../../rules/missing-maps';
import type { VizView } from '../viz-view';

/** Maps that the chart's templates look into, come what may. */
const MAPS = [
  ...['metricsAPI', 'tap', 'tapInjector', 'dashboard'].flatMap((component) => [
    component,
    `${component}.image`,
    `${component}.service`,
  ]),
  'grafana',
  'prometheus',
];
const PROMETHEUS_MAPS = ['prometheus.args', 'prometheus.image'];
const JOB_MAPS = ['namespaceMetadata', 'namespaceMetadata.image'];

/** Reports what was removed from the values, or replaced, that Viz cannot be rendered without. */
export function checkStructure(values: Values, view: VizView): readonly Problem[] {
  return [
    ...checkMissingMaps(values, [
      ...MAPS,
      ...(view.prometheus.enabled ? PROMETHEUS_MAPS : []),
      ...(view.createNamespaceMetadataJob ? JOB_MAPS : []),
    ]),
    ...checkControlPlaneNamespace(view),
  ];
}
