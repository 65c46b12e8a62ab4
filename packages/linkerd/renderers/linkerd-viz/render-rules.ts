import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import type { VizTemplates } from '../../releases/groups/viz';
import { withoutNulls } from '../chart-view';
import { isEmpty } from '../empty';
import { LINKERD_CHART_FINDINGS } from '../findings';
import {
  checkControlPlaneNamespace,
  checkImageVersions,
  checkMissingMaps,
  checkMissingTexts,
  checkNullLabels,
} from '../missing-values';
import { checkPodSecurityPolicy } from '../pod-security-policy';
import { checkPrivateKeys } from '../private-keys';
import { checkServingCertificate } from '../serving-certificates';
import { additionsFault } from './prometheus/config';
import { type VizView, vizView } from './viz-view';

const SERVERS = ['tap', 'tapInjector'] as const;

const RELEASED = ['metricsAPI.image.tag', 'tap.image.tag', 'tapInjector.image.tag', 'dashboard.image.tag'];

function ownVersions({ prometheus, createNamespaceMetadataJob }: VizView): readonly string[] {
  return [
    ...(prometheus.enabled ? ['prometheus.image.tag'] : []),
    ...(createNamespaceMetadataJob ? ['namespaceMetadata.image.tag'] : []),
  ];
}

/**
 * Checks that Viz can be rendered: reports values that the official chart refuses, and private keys that would be in
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

function checkPrometheusValues(view: VizView): readonly Problem[] {
  const { prometheus, prometheusUrl } = view;
  if (prometheus.enabled) return [...checkPersistence(prometheus), ...checkAdditions(view)];
  if (prometheusUrl) return [];
  return [
    LINKERD_CHART_FINDINGS.prometheusMissing(
      { enabled: String(prometheus.enabled ?? null) },
      { about: 'values.prometheus.enabled' },
    ),
  ];
}

function checkAdditions(view: VizView): readonly Problem[] {
  const error = additionsFault(view);
  if (error === undefined) return [];
  return [LINKERD_CHART_FINDINGS.chartValueRefusedPrometheusText({ error }, { about: 'values.prometheus' })];
}

function checkPersistence({ persistence }: VizView['prometheus']): readonly Problem[] {
  if (persistence === undefined || isEmpty(persistence)) return [];
  return (['accessMode', 'size'] as const)
    .filter((key) => isEmpty(persistence[key]))
    .map((key) =>
      LINKERD_CHART_FINDINGS.chartValueMissingPersistence(
        { key, example: key === 'size' ? '10Gi' : 'ReadWriteOnce' },
        { about: 'values.prometheus.persistence' },
      ),
    );
}

function checkWeb({ grafana }: VizView): readonly Problem[] {
  if (!grafana.url || !grafana.externalUrl) return [];
  return [
    LINKERD_CHART_FINDINGS.grafanaAmbiguous(
      { url: grafana.url, externalUrl: grafana.externalUrl },
      { about: 'values.grafana.url' },
    ),
  ];
}

/** Maps that the templates always read. */
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

function checkStructure(values: Values, view: VizView): readonly Problem[] {
  return [
    ...checkMissingMaps(values, [
      ...MAPS,
      ...(view.prometheus.enabled ? PROMETHEUS_MAPS : []),
      ...(view.createNamespaceMetadataJob ? JOB_MAPS : []),
    ]),
    ...checkControlPlaneNamespace(view),
  ];
}
