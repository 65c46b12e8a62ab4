import { Testing } from 'cdk8s';
import type { LinkerdVersion } from '../../lib/linkerd/versions';
import { checkObject } from '../../lib/validation/schema';
import type { ServiceAccountRef } from '../../lib/viz/prometheus';
import { ScrapePolicy } from '../../lib/viz/scrape-policy';
import type { Emitted } from './mesh-fixture';

const namespace = 'linkerd-viz';

function policy(version: LinkerdVersion, scraper?: ServiceAccountRef): Record<string, Emitted> {
  const chart = Testing.chart();
  new ScrapePolicy(chart, 'scrape', { version, namespace, scraper });
  return Object.fromEntries(
    (Testing.synth(chart) as Emitted[]).map((object) => [`${object.kind}/${object.metadata.name}`, object]),
  );
}

const objects = policy('edge-26.8.3');

test('all objects are valid, in the namespace, and Viz’', () => {
  const all = Object.values(objects);
  expect(all.flatMap(checkObject)).toEqual([]);
  expect(all.map(({ metadata }) => metadata.namespace)).toEqual(all.map(() => namespace));
  expect(all.map(({ metadata }) => metadata.labels)).toEqual(all.map(() => ({ 'linkerd.io/extension': 'viz' })));
});

test('the Server is the admin port of every meshed pod', () => {
  expect(objects['Server/proxy-admin']).toMatchObject({
    apiVersion: 'policy.linkerd.io/v1beta3',
    spec: {
      podSelector: { matchExpressions: [{ key: 'linkerd.io/control-plane-ns', operator: 'Exists' }] },
      port: 4191,
      proxyProtocol: 'HTTP/1',
    },
  });
});

test('2.14 knows an older Server only', () => {
  expect(policy('stable-2.14.10')['Server/proxy-admin']?.apiVersion).toBe('policy.linkerd.io/v1beta1');
});

test('only metrics are opened to the scraper, not shutdown or log levels', () => {
  expect(objects['HTTPRoute/proxy-metrics']?.spec).toEqual({
    parentRefs: [{ group: 'policy.linkerd.io', kind: 'Server', name: 'proxy-admin' }],
    rules: [{ matches: [{ path: { type: 'Exact', value: '/metrics' } }] }],
  });
  expect(objects['AuthorizationPolicy/prometheus-scrape']?.spec).toEqual({
    targetRef: { group: 'policy.linkerd.io', kind: 'HTTPRoute', name: 'proxy-metrics' },
    requiredAuthenticationRefs: [{ group: 'policy.linkerd.io', kind: 'NetworkAuthentication', name: 'kubelet' }],
  });
});

test('kubelets may probe as before', () => {
  expect(objects['HTTPRoute/proxy-probes']?.spec).toMatchObject({
    rules: [{ matches: [{ path: { value: '/live' } }, { path: { value: '/ready' } }] }],
  });
  expect(objects['AuthorizationPolicy/proxy-probes']?.spec).toEqual({
    targetRef: { group: 'policy.linkerd.io', kind: 'HTTPRoute', name: 'proxy-probes' },
    requiredAuthenticationRefs: [{ group: 'policy.linkerd.io', kind: 'NetworkAuthentication', name: 'kubelet' }],
  });
});

test('a scraper with an identity is the only one, and probes stay open', () => {
  const scraper = { namespace: 'monitoring', name: 'prometheus' };
  const restricted = policy('edge-26.8.3', scraper);
  expect(restricted['AuthorizationPolicy/prometheus-scrape']?.spec).toMatchObject({
    requiredAuthenticationRefs: [{ kind: 'ServiceAccount', ...scraper }],
  });
  expect(restricted['AuthorizationPolicy/proxy-probes']).toEqual(objects['AuthorizationPolicy/proxy-probes']);
  expect(Object.values(restricted).flatMap(checkObject)).toEqual([]);
});
