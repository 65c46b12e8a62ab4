import type { Problem } from '#base/findings/problem';
import { isMap, type Values, valueAt } from '#base/values';
import { checkAddress, checkHttpUrl } from '#kubernetes/urls';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import type { Release } from '#linkerd/releases/release';
import { LINKERD_CHART_FINDINGS } from '#linkerd/renderers/findings';
import {
  type AvailabilityNeed,
  areSeveral,
  checkHighAvailability,
  EVICTED_ONE_BY_ONE,
  SPREAD,
} from '#linkerd/renderers/high-availability';
import { checkPodSecurityPolicy } from '#linkerd/renderers/pod-security-policy';
import { checkExtensionKeys } from '../control-plane/key-material-rules';
import { VIZ_FINDINGS } from './findings';
import { type Grafana, grafanaValues } from './grafana';
import { checkEnforcedHost } from './host-regexp';
import { type Prometheus, prometheusValues } from './prometheus';

interface ServingCertificate {
  /** `<namespace>/<name>` of the Certificate. */
  readonly injectCaFrom: string;
}

/** The facts that determine the values of the linkerd-viz chart. */
export interface VizFacts {
  readonly release: Release;
  readonly linkerdNamespace: string;
  readonly clusterDomain: string;
  readonly trustDomain: string;
  readonly tap: ServingCertificate;
  readonly tapInjector: ServingCertificate;
  readonly prometheus: Prometheus;
  readonly grafana?: Grafana;
  readonly enforcedHostRegexp?: string;
}

/** Returns the chart values for the props of Viz. */
export function vizValues(facts: VizFacts): Values {
  return {
    clusterDomain: facts.clusterDomain,
    identityTrustDomain: facts.trustDomain,
    linkerdNamespace: facts.linkerdNamespace,
    // The library emits the namespace with its labels and annotations, so the job, which would need permission to patch
    // it, has nothing to do. Where the chart has no such switch, the job finds nothing to change.
    createNamespaceMetadataJob: facts.release.groups.viz.templates.metadataJobSwitch ? false : undefined,
    tap: { externalSecret: true, injectCaFrom: facts.tap.injectCaFrom },
    tapInjector: { externalSecret: true, injectCaFrom: facts.tapInjector.injectCaFrom },
    ...prometheusValues(facts.prometheus),
    grafana: facts.grafana && grafanaValues(facts.grafana),
    dashboard: facts.enforcedHostRegexp === undefined ? undefined : { enforcedHostRegexp: facts.enforcedHostRegexp },
  };
}

/** Reports chart values with which Viz cannot work, from props or from `values`. */
export function checkVizValues(values: Values, release: Release, dashboardHost?: string): readonly Problem[] {
  return [
    ...checkPrometheusValues(values, release),
    ...checkGrafanaValues(values),
    ...text(values, 'jaegerUrl').flatMap((url) => checkAddress('jaegerUrl', url)),
    ...text(values, 'dashboard.enforcedHostRegexp').flatMap((expression) =>
      checkEnforcedHost('dashboard.enforcedHostRegexp', expression, dashboardHost),
    ),
    ...checkProxyResources(values, release),
    ...checkExtensionKeys(values, ['tap', 'tapInjector']),
    ...checkPodSecurityPolicy(values),
  ];
}

function checkPrometheusValues(values: Values, release: Release): readonly Problem[] {
  const enabled = valueAt(values, 'prometheus.enabled');
  const embedded = enabled === undefined || enabled === true;
  const urls = text(values, 'prometheusUrl');
  const problems: Problem[] = urls.flatMap((url) => checkHttpUrl('prometheusUrl', url));
  if (!embedded && urls.length === 0) {
    problems.push(LINKERD_CHART_FINDINGS.prometheusMissing({ enabled: String(enabled) }));
  }
  const [url] = urls;
  if (embedded && url !== undefined) {
    problems.push(VIZ_FINDINGS.vizValueRefusedPrometheus({ url }));
  }
  const credentials = valueAt(values, 'prometheusCredsSecret');
  if (credentials !== undefined && !release.groups.viz.templates.prometheusCredentials) {
    const secret = JSON.stringify(credentials);
    problems.push(VIZ_FINDINGS.vizValueRefusedCredentials({ secret, version: release.version }));
  }
  return problems;
}

function checkGrafanaValues(values: Values): readonly Problem[] {
  const inCluster = text(values, 'grafana.url');
  const external = text(values, 'grafana.externalUrl');
  const prefix = text(values, 'grafana.uidPrefix');
  const problems = [
    ...inCluster.flatMap((url) => checkAddress('grafana.url', url)),
    ...external.flatMap((url) => checkHttpUrl('grafana.externalUrl', url, 'https')),
  ];
  const [url] = inCluster;
  const [externalUrl] = external;
  if (url !== undefined && externalUrl !== undefined) {
    problems.push(LINKERD_CHART_FINDINGS.grafanaAmbiguous({ url, externalUrl }));
  }
  for (const bad of prefix.filter((candidate) => !/^[\w-]+$/.test(candidate))) {
    problems.push(VIZ_FINDINGS.vizValueRefusedDashboardPrefix({ prefix: bad, proposed: bad.replace(/[^\w-]+/g, '-') }));
  }
  return problems;
}

function checkProxyResources(values: Values, release: Release): readonly Problem[] {
  const resources = valueAt(values, 'metricsAPI.proxy.resources');
  if (!release.groups.viz.templates.proxyResourcesBug || !isMap(resources)) return [];
  return [VIZ_FINDINGS.vizValueRefusedProxyResources()];
}

/** Returns the text at a path in a list; an empty list if it is missing or empty. */
function text(values: Values, path: string): readonly string[] {
  const value = valueAt(values, path);
  return typeof value === 'string' && value !== '' ? [value] : [];
}

const TAP: AvailabilityNeed = {
  path: 'tap.replicas',
  met: areSeveral,
  finding: LINKERD_CHART_FINDINGS.highAvailabilityOverriddenTapReplicas,
};

/** Reports values that disable parts of a release's high availability in a highly available Viz. */
export function checkVizAvailability(values: Values, release: Release): readonly Problem[] {
  const budget = 'enablePodDisruptionBudget' in defaultsOf(release).vizHighAvailability;
  return checkHighAvailability(values, [TAP, SPREAD, ...(budget ? [EVICTED_ONE_BY_ONE] : [])]);
}
