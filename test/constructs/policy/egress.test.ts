import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { EgressOptions } from '#lib/constructs/policy/egress-rules';
import { ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { problemsOf, STABLE } from '../meshing/fixture';
import { found, refusedValue, shop } from './fixture';

const objectsIn = (options?: EgressOptions) => {
  const { chart, meshing } = shop();
  meshing.egress('shop', options);
  expect(problemsOf(chart)).toEqual([]);
  const objects = plainObjects(chart) as KubernetesObject[];
  return Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object.spec]));
};

test('an egress policy permits all traffic by default', () => {
  expect(objectsIn()['EgressNetwork egress']).toEqual({ trafficPolicy: 'Allow' });
});

test('an egress policy denies pods all destinations that it does not name', () => {
  expect(
    objectsIn({
      mode: 'deny',
      name: 'out',
      networks: ['0.0.0.0/0', { cidr: '198.51.100.0/24', except: ['198.51.100.7/32'] }],
      to: [
        { hosts: ['api.example.com', 'login.example.com'] },
        { hosts: ['*.example.org'], port: 8443 },
        {
          hosts: ['plain.example.com'],
          protocol: 'HTTP',
          requests: [{ method: 'GET', pathPrefix: '/a' }, { path: '/b' }],
        },
      ],
    }),
  ).toMatchObject({
    'EgressNetwork out': {
      trafficPolicy: 'Deny',
      networks: [{ cidr: '0.0.0.0/0' }, { cidr: '198.51.100.0/24', except: ['198.51.100.7/32'] }],
    },
    'TLSRoute out-api.example.com-443': {
      hostnames: ['api.example.com', 'login.example.com'],
      parentRefs: [{ group: 'policy.linkerd.io', kind: 'EgressNetwork', name: 'out', namespace: 'shop', port: 443 }],
      rules: [{ backendRefs: [{ group: 'policy.linkerd.io', kind: 'EgressNetwork', name: 'out' }] }],
    },
    'TLSRoute out-any.example.org-8443': { hostnames: ['*.example.org'], parentRefs: [{ port: 8443 }] },
    'HTTPRoute out-plain.example.com-80': {
      hostnames: ['plain.example.com'],
      parentRefs: [{ port: 80 }],
      rules: [
        {
          matches: [
            { method: 'GET', path: { type: 'PathPrefix', value: '/a' } },
            { path: { type: 'Exact', value: '/b' } },
          ],
        },
      ],
    },
  });
});

test.each<[EgressOptions, object]>([
  [{ mode: 'Deny' as 'deny' }, refusedValue('mode', '"Deny"')],
  [{ name: 'Out' }, found('name-invalid', { field: 'name', value: '"Out"' })],
  [{ networks: ['internet'] }, found('address-refused', { field: 'networks: network 0[0]', value: 'internet' })],
  [{ networks: [] }, { code: 'policy-client-unknown', parameters: { client: 'Clients.networks() without a network' } }],
  [{ to: 'all' as never }, found('wrong-type', { path: 'egress.to', value: '"all"' })],
  [{ to: [{ hosts: [] }] }, refusedValue('to[0].hosts', '[]')],
  [{ to: [null as never] }, found('wrong-type', { path: 'egress.to[0]', value: 'null', expected: 'a map' })],
  [
    { to: [{ hosts: ['https://example.com'] }] },
    found('name-invalid', { field: 'to[0].hosts[0]', value: '"https://example.com"' }),
  ],
  [
    { to: [{ hosts: ['192.0.2.1'] }] },
    { code: 'name-invalid', parameters: { field: 'to[0].hosts[0]', value: '"192.0.2.1"' } },
  ],
  [{ to: [{ hosts: ['a.example.com'], port: 0 }] }, found('port-refused', { field: 'to[0].port', port: '0' })],
  [{ to: [{ hosts: ['a.example.com'], protocol: 'UDP' as 'TLS' }] }, refusedValue('to[0].protocol', '"UDP"')],
  [{ to: [{ hosts: ['a.example.com'], requests: [{ path: '/' }] }] }, refusedValue('to[0].requests')],
  [
    { to: [{ hosts: ['a.example.com'], protocol: 'HTTP', requests: [{ path: 'a' }] }] },
    refusedValue('to[0].requests[0].path', '"a"'),
  ],
  [
    { to: [{ hosts: ['a.example.com'] }, { hosts: ['a.example.com', 'b.example.com'] }] },
    found('policy-value-refused', { field: 'to' }),
  ],
])('an egress policy refuses %j', (options, problem) => {
  const { chart, meshing } = shop();
  meshing.egress('shop', options);
  expect(ruleFindingsIn(chart)).toMatchObject([problem]);
});

test('synth refuses two egress policies of one name, and any with 2.14', () => {
  const { chart, meshing } = shop();
  meshing.egress('shop');
  meshing.egress('shop', { mode: 'deny' });
  meshing.egress('shop', { name: 'other' });
  expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'policy-name-taken', parameters: { namespace: 'shop' } }]);

  const old = shop(STABLE);
  old.meshing.egress('shop');
  expect(ruleFindingsIn(old.chart)).toMatchObject([
    { code: 'policy-unsupported', parameters: { call: 'egress()', version: 'stable-2.14.10', kind: 'EgressNetwork' } },
  ]);
});
