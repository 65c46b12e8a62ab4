import type { Delivery } from '../../gitops/charts/chart-release';
import type { Problem } from '../../kubernetes/findings/problem';
import { type Values, valueAt } from '../../kubernetes/values';
import type { Chart } from '../../linkerd/charts/chart';
import { areSeveral, checkHighAvailability, SPREAD } from '../control-plane/high-availability';
import { MULTICLUSTER_FINDINGS } from './findings';
import { checkGateway, type GatewayProps } from './gateway';

/** All of an extension that rules look at. */
export interface CheckedMulticluster {
  readonly chart: Chart;
  /** All values of the chart. */
  readonly values: Values;
  readonly gateway: GatewayProps | false;
  readonly crds?: 'install' | 'existing' | undefined;
  readonly delivery?: Delivery | undefined;
  readonly highAvailability: boolean;
  /** The ports of proxies, by the names of the control plane's values. */
  readonly proxyPorts: Values;
}

/** Reports what of an extension cannot work. */
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
  reason: 'All requests of other clusters pass the gateway: with one pod, each restart interrupts them',
  remedy: 'set gateway.replicas to 2 or more',
};

/** The gateway is its proxy: what its Service leads to are ports of that. */
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
