import * as kplus from 'cdk8s-plus-28';
import { CanaryRoute, type CanaryRouteProps } from '#lib/constructs/meshing/rollouts/canary-route';
import { checkIgnoreDifferences } from '#lib/gitops/argocd/ignore-differences';
import { ruleFindingsIn } from '#test/support/findings';
import { EDGE, mesh, problemsOf } from '../fixture';

const named = (name: string, namespace = 'shop') => ({ name, namespace });
const PROPS = {
  controlPlane: EDGE,
  service: named('web'),
  stable: named('web-stable'),
  canary: named('web-canary'),
  port: 80,
};

function canary(props: Partial<CanaryRouteProps> = {}) {
  const { chart } = mesh();
  return { chart, route: new CanaryRoute(chart, 'canary', { ...PROPS, ...props }) };
}

test('CanaryRoute writes its services and route into the Rollout', () =>
  expect(canary({ name: 'split' }).route.strategy).toEqual({
    stableService: 'web-stable',
    canaryService: 'web-canary',
    trafficRouting: { plugins: { 'argoproj-labs/gatewayAPI': { httpRoute: 'split', namespace: 'shop' } } },
  }));

test('CanaryRoute accepts services as objects', () => {
  const { chart, meshing } = mesh();
  const [service, stable, next] = ['web', 'web-stable', 'web-canary'].map(
    (name) => new kplus.Service(chart, name, { metadata: { name }, ports: [{ port: 80 }] }),
  ) as [kplus.Service, kplus.Service, kplus.Service];
  const route = new CanaryRoute(chart, 'canary', { controlPlane: meshing, service, stable, canary: next, port: 80 });
  expect([route.namespace, route.routeName]).toEqual(['shop', 'web']);
  expect(problemsOf(chart)).toEqual([]);
});

test.each<[Partial<CanaryRouteProps>, object]>([
  [
    { stable: named('web-stable', 'other') },
    { code: 'canary-route-refused', parameters: { services: 'shop/web, other/web-stable, shop/web-canary' } },
  ],
  [
    { canary: named('web-stable') },
    { code: 'canary-route-refused', parameters: { services: 'shop/web, shop/web-stable, shop/web-stable' } },
  ],
  [{ canary: named('Web') }, { what: expect.stringContaining('The name of canary is "Web"') }],
  [{ stable: named('Web') }, { what: expect.stringContaining('The name of stable is "Web"') }],
  [{ service: named('Web'), name: 'web' }, { what: expect.stringContaining('The name of service is "Web"') }],
  [{ port: 0 }, { what: expect.stringContaining('port is 0') }],
  [{ name: 'a_b' }, { what: expect.stringContaining('name is "a_b"') }],
])('CanaryRoute refuses %j', (props, problem) => expect(ruleFindingsIn(canary(props).chart)).toMatchObject([problem]));

test('Argo CD can leave weights and selectors to Argo Rollouts', () => {
  expect(checkIgnoreDifferences(CanaryRoute.ignoreDifferences)).toEqual([]);
  expect(CanaryRoute.ignoreDifferences.map(({ kind }) => kind)).toEqual(['HTTPRoute', 'Service']);
});
