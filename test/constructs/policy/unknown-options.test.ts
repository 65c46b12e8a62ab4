import type { ApiObject } from 'cdk8s';
import type { Meshing } from '#lib/constructs/meshing/meshing';
import { Clients } from '#lib/constructs/policy/clients';
import { ruleFactsIn, ruleFindingsIn } from '../../support/findings';
import { deployment, policiesIn, refusedValue, shop } from './fixture';

/** Unknown options in untyped calls, and the options that synth suggests. */
const CALLS: readonly (readonly [option: string, fix: string, ask: (meshing: Meshing, api: ApiObject) => void])[] = [
  [
    'allow.request',
    'allow.requests',
    (meshing, api) => meshing.allow(api, { from: [], request: [{ path: '/a' }] } as never),
  ],
  ['allow.mod', 'allow.mode', (meshing, api) => meshing.allow(api, { from: [], mod: 'deny' } as never)],
  ['allow.port', 'allow.ports', (meshing, api) => meshing.allow(api, { from: [], port: ['http'] } as never)],
  [
    'from[0].networks[0].exept',
    'from[0].networks[0].except',
    (meshing, api) =>
      meshing.allow(api, { from: [Clients.networks({ cidr: '10.0.0.0/8', exept: ['10.1.0.0/16'] } as never)] }),
  ],
  [
    'from[0].workload.serviceaccount',
    'from[0].workload.serviceAccount',
    (meshing, api) =>
      meshing.allow(api, {
        from: [Clients.elsewhere({ trustDomain: 'west', namespace: 'shop', serviceaccount: 'web' } as never)],
      }),
  ],
  [
    'from[0].account.nam',
    'from[0].account.name',
    (meshing, api) =>
      meshing.allow(api, { from: [Clients.serviceAccount({ namespace: 'shop', name: 'web', nam: 'x' } as never)] }),
  ],
  [
    'from[0].networ',
    'from[0].networks',
    (meshing, api) =>
      meshing.allow(api, { from: [{ kind: 'networks', networks: ['10.0.0.0/8'], networ: 1 } as never] }),
  ],
  ['defaultDeny.mod', 'defaultDeny.mode', (meshing) => meshing.defaultDeny('shop', { mod: 'deny' } as never)],
  [
    'limitRequests.perclient',
    'limitRequests.perClient',
    (meshing, api) => meshing.limitRequests(api, { total: 9, perclient: 1 } as never),
  ],
  [
    'limitRequests.overrides[0].client',
    'limitRequests.overrides[0].clients',
    (meshing, api) =>
      meshing.limitRequests(api, { total: 9, overrides: [{ clients: [api], perClient: 1, client: 1 } as never] }),
  ],
  ['egress.mod', 'egress.mode', (meshing) => meshing.egress('shop', { mod: 'deny' } as never)],
  [
    'egress.to[0].request',
    'egress.to[0].requests',
    (meshing) =>
      meshing.egress('shop', {
        to: [{ hosts: ['a.example.com'], protocol: 'HTTP', request: [{ path: '/a' }] } as never],
      }),
  ],
  [
    'networks.networks[0].exept',
    'networks.networks[0].except',
    (meshing) => meshing.egress('shop', { networks: [{ cidr: '10.0.0.0/8', exept: [] } as never] }),
  ],
];

test.each(CALLS)('synth refuses the unknown option %s, and creates no objects', (option, fix, ask) => {
  const { chart, meshing } = shop();
  ask(meshing, deployment(chart, 'api'));
  expect(ruleFactsIn(chart)).toMatchObject([{ finding: 'option-unknown/meant', path: option, meant: fix }]);
  expect(() => policiesIn(chart)).toThrow(option);
});

test('synth refuses unknown options of requests and paths', () => {
  const { chart, meshing } = shop();
  meshing.allow(deployment(chart, 'api'), { from: [], requests: [{ methods: 'GET', path: '/a' } as never] });
  expect(ruleFindingsIn(chart)).toMatchObject([refusedValue('requests[0]')]);
});
