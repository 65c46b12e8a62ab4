import { rolloutFields } from '#lib/gitops/synth/rollout-fields';

const ROUTES = 'gateway.networking.k8s.io';
const WEIGHTS = '.spec.rules[]?.backendRefs[]?.weight';
const HASH = '/spec/selector/rollouts-pod-template-hash';

const rollout = (strategy: unknown, apiVersion = 'argoproj.io/v1alpha1') =>
  rolloutFields({ apiVersion, kind: 'Rollout', metadata: { name: 'web', namespace: 'shop' }, spec: { strategy } });
const service = (name: string) => ({ group: '', kind: 'Service', namespace: 'shop', name, jsonPointers: [HASH] });
const plugins = (config: unknown, more: object = {}) => ({
  canary: { trafficRouting: { plugins: { 'argoproj-labs/gatewayAPI': config }, ...more } },
});

test('the fields that a Rollout changes include selectors of canary and blue-green Services', () => {
  expect(rollout({ canary: { stableService: 'a', canaryService: 'b' } })).toEqual([service('a'), service('b')]);
  expect(rollout({ blueGreen: { activeService: 'a', previewService: 'b' } })).toEqual([service('a'), service('b')]);
});

test('the fields that a Rollout changes include routes of its plugin, in any namespace', () => {
  expect(rollout(plugins({ httpRoute: 'web', namespace: 'edge' }))).toEqual([
    { group: ROUTES, kind: 'HTTPRoute', namespace: 'edge', name: 'web', jqPathExpressions: [WEIGHTS] },
  ]);
  expect(rollout(plugins({ httpRoutes: [{ name: 'a' }, { name: 'b' }], grpcRoute: 'c' }))).toEqual(
    [
      ['HTTPRoute', 'a'],
      ['HTTPRoute', 'b'],
      ['GRPCRoute', 'c'],
    ].map(([kind, name]) => ({ group: ROUTES, kind, namespace: 'shop', name, jqPathExpressions: [WEIGHTS] })),
  );
});

test('the fields that a Rollout changes include rules that its steps add', () => {
  const managedRoutes = [{ name: 'by-header' }, { name: '{{ x }}' }, {}];
  const [route] = rollout(plugins({ httpRoute: 'web' }, { managedRoutes }));
  expect(route?.jqPathExpressions).toEqual([WEIGHTS, '.spec.rules[]? | select(.name == "by-header")']);
});

test.each([
  undefined,
  null,
  'canary',
  { canary: null },
  { canary: { stableService: 5, trafficRouting: { plugins: [] } } },
  plugins({ httpRoute: null, httpRoutes: 'web' }),
])('a Rollout with the strategy %j changes no fields', (strategy) => expect(rollout(strategy)).toEqual([]));

test('a Rollout of another API group changes no fields', () => {
  expect(rollout({ canary: { stableService: 'a' } }, 'example.com/v1')).toEqual([]);
});
