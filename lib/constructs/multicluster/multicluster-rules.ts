import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { type Values, valueAt } from '#base/values';
import type { AuthorizationPolicy } from '#imports/crds/policy.linkerd.io';
import { checkDnsSubdomain } from '#kubernetes/names';
import { EXTENSION } from '#linkerd/annotations';
import type { Chart } from '#linkerd/charts/chart';
import type { Release } from '#linkerd/releases/release';
import { LINKERD_CHART_FINDINGS } from '#linkerd/renderers/findings';
import { areSeveral, checkHighAvailability, SPREAD } from '#linkerd/renderers/high-availability';
import type { Delivery } from '../../gitops/charts/helm-release';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import type { ServiceAccountRef } from '../viz/prometheus';
import { MULTICLUSTER_FINDINGS } from './findings';
import { checkGateway, type GatewayProps } from './gateway';

interface CheckedMulticluster {
  readonly chart: Chart;
  readonly values: Values;
  readonly gateway: GatewayProps | false;
  readonly crds?: 'install' | 'existing' | undefined;
  readonly delivery?: Delivery | undefined;
  readonly highAvailability: boolean;
  /** The ports, with the keys of the control plane's values. */
  readonly proxyPorts: Values;
}

/** Reports settings of an extension that cannot work. */
export function checkMulticluster(checked: CheckedMulticluster): readonly Problem[] {
  const { chart, values, gateway, crds, delivery, highAvailability } = checked;
  const isHelm = delivery === 'helm';
  return [
    ...(gateway === false ? [] : checkGateway(gateway)),
    ...(isHelm ? (chart.native?.check(values) ?? []) : []),
    ...(crds === undefined || crds === 'install' || crds === 'existing'
      ? []
      : [MULTICLUSTER_FINDINGS.linkCrdSourceRefusedUnknown({ crds: JSON.stringify(crds) })]),
    ...(isHelm && crds === 'existing' ? [MULTICLUSTER_FINDINGS.linkCrdSourceRefusedChart()] : []),
    ...(valueAt(values, 'gateway.enabled') === true ? checkPorts(checked) : []),
    ...(highAvailability && gateway !== false ? checkHighAvailability(values, [GATEWAY, SPREAD]) : []),
  ];
}

const GATEWAY = {
  path: 'gateway.replicas',
  met: areSeveral,
  finding: LINKERD_CHART_FINDINGS.highAvailabilityOverriddenGatewayReplicas,
};

/** The gateway's pod contains only a proxy, so its Service targets the proxy's ports. */
function checkPorts({ values, proxyPorts }: CheckedMulticluster): readonly Problem[] {
  const served = [
    { path: 'gateway.port', port: proxyPorts.inbound, by: 'proxy.ports.inbound' },
    { path: 'gateway.probe.port', port: proxyPorts.admin, by: 'proxy.ports.admin' },
  ];
  const unserved = served.filter(({ path, port }) => port !== undefined && valueAt(values, path) !== port);
  const path = valueAt(values, 'gateway.probe.path');
  return [
    ...unserved.map(({ path, port, by }) =>
      MULTICLUSTER_FINDINGS.gatewaySettingRefusedPort(
        { path, value: String(valueAt(values, path)), port: String(port), by },
        { about: `values.${path}` },
      ),
    ),
    ...(path === '/ready' || path === '/live'
      ? []
      : [
          MULTICLUSTER_FINDINGS.gatewaySettingRefusedProbePath(
            { value: String(JSON.stringify(path)) },
            { about: 'values.gateway.probe.path' },
          ),
        ]),
  ];
}

interface MirrorScrapePolicyProps {
  readonly namespace: string;
  readonly scraper: ServiceAccountRef;
  /** The release whose chart creates the Servers. */
  readonly release: Release;
}

const SERVERS = {
  shared: ['service-mirror'],
  separate: ['controller', 'linkerd-admin', 'local-service-mirror', 'service-mirror'],
};

/**
 * Lets a meshed Prometheus scrape service mirrors: adds a policy for each of their Servers, in addition to those of the
 * chart.
 */
export class MirrorScrapePolicy extends Construct {
  constructor(scope: Construct, id: string, { namespace, scraper, release }: MirrorScrapePolicyProps) {
    super(scope, id);
    const { adminServers = 'separate' } = release.groups.multicluster?.templates ?? {};
    for (const server of SERVERS[adminServers]) {
      manifest(this, server, {
        apiVersion: 'policy.linkerd.io/v1alpha1',
        kind: 'AuthorizationPolicy',
        metadata: { name: `${server}-scrape`, namespace, labels: { [EXTENSION]: 'multicluster' } },
        spec: {
          targetRef: { group: 'policy.linkerd.io', kind: 'Server', name: server },
          requiredAuthenticationRefs: [{ kind: 'ServiceAccount', name: scraper.name, namespace: scraper.namespace }],
        },
      } satisfies AuthorizationPolicy);
    }
    addRule(this, () => [
      ...checkDnsSubdomain('scraper.name', scraper.name),
      ...checkDnsSubdomain('scraper.namespace', scraper.namespace),
    ]);
  }
}
