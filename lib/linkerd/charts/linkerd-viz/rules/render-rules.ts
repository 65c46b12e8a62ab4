import type { Problem } from '../../../../kubernetes/findings/problem';
import type { Values } from '../../../../kubernetes/values';
import type { VizTemplates } from '../../../releases/groups/viz';
import { withoutNulls } from '../../chart-view';
import { checkPodSecurityPolicy } from '../../pod-security-policy';
import { checkPrivateKeys } from '../../private-keys';
import { checkImageVersions, checkMissingTexts } from '../../rules/missing-texts';
import { checkNullLabels } from '../../rules/null-labels';
import { checkServingCertificate } from '../../serving-certificates';
import { type VizView, vizView } from '../viz-view';
import { checkPrometheusValues } from './prometheus-rules';
import { checkStructure } from './structure-rules';
import { checkWeb } from './web-rules';

/** Components that serve the API server, by their keys in the values. */
const SERVERS = ['tap', 'tapInjector'] as const;

/** Versions of images that are released with Linkerd. */
const RELEASED = ['metricsAPI.image.tag', 'tap.image.tag', 'tapInjector.image.tag', 'dashboard.image.tag'];

/** Versions of other images, where they run. */
function ownVersions({ prometheus, createNamespaceMetadataJob }: VizView): readonly string[] {
  return [
    ...(prometheus.enabled ? ['prometheus.image.tag'] : []),
    ...(createNamespaceMetadataJob ? ['namespaceMetadata.image.tag'] : []),
  ];
}

/**
 * Checks that Viz can be rendered: reports all that the official chart refuses, and what would put a private key into
 * Git.
 *
 * @param values - all values of the chart, as for `renderViz`
 */
export function checkVizRender(values: Values, templates: VizTemplates): readonly Problem[] {
  const given = withoutNulls(values);
  const view = vizView(values, templates);
  const structure = checkStructure(given, view);
  if (structure.length > 0) return structure;
  return [
    ...checkMissingTexts(given, ['clusterDomain', ...(view.prometheus.enabled ? ['defaultLogFormat'] : [])]),
    ...checkImageVersions(given, RELEASED, ownVersions(view)),
    ...checkNullLabels(values),
    ...checkPrometheusValues(view),
    ...checkWeb(view),
    ...SERVERS.flatMap((key) => checkServingCertificate(key, view[key])),
    ...checkPrivateKeys(given),
    ...checkPodSecurityPolicy(given),
  ];
}
