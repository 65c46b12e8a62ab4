import { Testing } from 'cdk8s';
import { checkObject } from '#kubernetes/schemas/schema';
import { GatewayDashboard, type GatewayIngress, type GatewayIngressProps } from '#lib/constructs/viz/gateway-dashboard';
import { DashboardIngress } from '#lib/constructs/viz/ingress';
import { releaseOf } from '#linkerd/releases/release';
import { plainObjects } from '../../support/plain-app';
import { problemsOf } from './mesh-fixture';

const host = 'linkerd.example.com';
const gateway = { namespace: 'gateways', name: 'internal' };

function dashboard(
  props: Partial<GatewayIngressProps> = {},
  version: 'edge-26.8.3' | 'stable-2.14.10' = 'edge-26.8.3',
) {
  const chart = Testing.chart();
  const ingress = DashboardIngress.gateway({ host, gateway, ...props }) as GatewayIngress;
  const construct = new GatewayDashboard(chart, 'ingress', {
    ingress,
    namespace: 'linkerd-viz',
    clusterDomain: 'k8s.example',
    release: releaseOf(version),
  });
  return { construct, chart };
}

const objectsOf = (...args: Parameters<typeof dashboard>) => plainObjects(dashboard(...args).chart);

test('the route to the dashboard contains the domain of the cluster', () => {
  const { construct, chart } = dashboard();
  expect(JSON.stringify(plainObjects(chart))).toContain('"web.linkerd-viz.svc.k8s.example:8084"');
  expect(problemsOf(construct)).toEqual([]);
});

test('a filter of the gateway requires a login before other filters of the dashboard', () => {
  const authentication = { group: 'traefik.io', kind: 'Middleware', name: 'auth' };
  const objects = objectsOf({ authentication });
  expect(objects[0].spec.rules[0].filters[0]).toEqual({ type: 'ExtensionRef', extensionRef: authentication });
  expect(objects.flatMap((object) => checkObject(object))).toEqual([]);
  expect(JSON.stringify(objectsOf({ authentication: 'gateway' }))).not.toContain('ExtensionRef');
});

test('the dashboard of 2.14 has an older HTTPRoute', () => {
  const objects = objectsOf({}, 'stable-2.14.10');
  expect(objects[0].apiVersion).toBe('gateway.networking.k8s.io/v1beta1');
  expect(objects.flatMap((object) => checkObject(object))).toEqual([]);
});

test('synth checks all names of a gateway for the dashboard at once', () => {
  const { construct } = dashboard({
    gateway: { namespace: 'a.b', name: 'My Gateway', sectionName: 'HTTPS' },
    authentication: { group: 'traefik.io', kind: 'Middleware', name: 'Auth' },
  });
  expect(problemsOf(construct)).toEqual([
    expect.stringContaining('ingress.gateway.name is "My Gateway"'),
    expect.stringContaining('ingress.gateway.namespace is "a.b"'),
    expect.stringContaining('ingress.gateway.sectionName is "HTTPS"'),
    expect.stringContaining('ingress.authentication.name is "Auth"'),
  ]);
});
