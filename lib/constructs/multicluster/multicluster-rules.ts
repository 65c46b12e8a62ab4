import { violationOf } from '../../../operator/api/kubernetes/violation';
import type { Delivery } from '../../gitops/charts/chart-release';
import type { Problem } from '../../kubernetes/findings/problem';
import { type Values, valueAt } from '../../kubernetes/values';
import type { Chart } from '../../linkerd/charts/chart';
import { areSeveral, checkHighAvailability, SPREAD } from '../control-plane/high-availability';
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
    ...(crds === undefined || crds === 'install' || crds === 'existing' ? [] : [unknownOrigin(crds)]),
    ...(isHelm && crds === 'existing' ? [DEFINED_BY_CHART] : []),
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

function unknownOrigin(crds: unknown): Problem {
  return {
    code: 'link-crd-origin-unknown',
    violates: violationOf('value', 'crds'),
    what: `crds is ${JSON.stringify(crds)}`,
    why: 'It says whether the CRD of Link is emitted here, and there is no such answer',
    fix: "choose 'install' or 'existing'",
  };
}

const DEFINED_BY_CHART: Problem = {
  code: 'link-crd-from-chart',
  what: "crds is 'existing', and delivery is 'helm'",
  why: 'The chart has no switch for the CRD of Link: it would take it from whatever else installs it, and delete it with itself',
  fix: "set delivery to 'manifests', or crds to 'install'",
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
    ...unserved.map(({ path, port, by }) => ({
      code: 'gateway-port-unserved',
      violates: violationOf('value', path),
      about: `values.${path}`,
      what: `values.${path} is ${valueAt(values, path)}, and proxies serve ${port} (${by} of the control plane)`,
      why: 'The Service has no other target port, so that nobody would answer: no cluster would reach this one',
      fix: `set ${path} to ${port}; load balancers that take another port are set up by their annotations`,
    })),
    ...(path === '/ready' || path === '/live'
      ? []
      : [
          {
            code: 'gateway-probe-unserved',
            violates: violationOf('value', 'gateway.probe.path'),
            about: 'values.gateway.probe.path',
            what: `values.gateway.probe.path is ${JSON.stringify(path)}`,
            why: 'Proxies answer probes at /ready and /live only: all linked clusters would take the gateway for dead',
            fix: 'leave it out, which is /ready',
          },
        ]),
  ];
}
