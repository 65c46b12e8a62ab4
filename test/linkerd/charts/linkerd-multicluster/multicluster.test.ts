import type { Deployment, Service } from '../../../../imports/kubernetes';
import { renderChart } from '../../../../lib/cli/render-chart';
import { MULTICLUSTER } from '../../../../lib/linkerd/releases/groups/multicluster';
import { chart, chartValues, find, linksTo, NEWEST, render } from './fixture';

test('everything that has a namespace is in that of the release', () => {
  const namespaces = new Set(render(linksTo('west')).map(({ metadata }) => metadata.namespace));
  expect([...namespaces].sort()).toEqual(['linkerd', 'linkerd-multicluster', undefined]);
});

test('values are not changed, and the same ones give the same objects', () => {
  const values = chartValues(linksTo('west'));
  const before = JSON.stringify(values);
  const { native, namespace } = chart();
  const objects = JSON.stringify(native.render(values, { namespace }));
  expect(JSON.stringify(native.render(values, { namespace }))).toBe(objects);
  expect(JSON.stringify(values)).toBe(before);
});

test('images are of the release, though several share what was imported', () => {
  const images = (version: 'edge-26.8.3' | 'edge-26.6.1') =>
    new Set(
      chart(version)
        .native.render({ ...chart(version).defaults, ...linksTo('west') }, { namespace: 'm' })
        .filter(({ kind }) => kind === 'Deployment')
        .flatMap((object) => (object as Deployment).spec?.template.spec?.containers ?? [])
        .map(({ image }) => image),
    );
  expect(images('edge-26.6.1')).toContain('cr.l5d.io/linkerd/controller:edge-26.6.1');
  expect([...images('edge-26.8.3')]).not.toContain('cr.l5d.io/linkerd/controller:edge-26.6.1');
});

test('a link says what is its own', () => {
  const link = { ref: { name: 'west' } };
  const controllers = [{ link, replicas: 0, enableHeadlessServices: true, resources: { limits: { cpu: '1' } } }];
  const { spec } = find(render({ controllers }), 'Deployment', 'controller-west') as Deployment;
  expect(spec?.replicas).toBe(0);
  expect(spec?.template.spec?.containers[0]?.args).toContain('-enable-headless-services');
  expect(spec?.template.spec?.containers[0]?.resources).toEqual({ limits: { cpu: '1' } });
});

test('the gateway of a NodePort may have ports of its own, and health checks where the chart knows of them', () => {
  const values = { gateway: { healthCheckNodePort: 30500, probe: { nodePort: 30491 } } };
  const spec = (templates = NEWEST) => (find(render(values, templates), 'Service', 'linkerd-gateway') as Service).spec;
  expect(spec()).toMatchObject({ healthCheckNodePort: 30500, ports: [{}, { nodePort: 30491 }] });
  expect(spec(MULTICLUSTER['edge-26.4.4'].templates)).not.toHaveProperty('healthCheckNodePort');
});

test('before edge-26.4.1 one Server is for the metrics of all mirrors', () => {
  const servers = (templates = NEWEST) =>
    render({}, templates)
      .filter(({ kind }) => kind === 'Server')
      .map(({ metadata }) => metadata.name);
  expect(servers(MULTICLUSTER['edge-26.3.3'].templates)).toEqual(['linkerd-gateway', 'service-mirror']);
  expect(servers()).toHaveLength(5);
});

test('no Secret has content', () => {
  for (const object of render(linksTo('west')).filter(({ kind }) => kind === 'Secret')) {
    expect(object).not.toHaveProperty('data');
    expect(object).not.toHaveProperty('stringData');
  }
});

test('2.14 has no such chart, and is told so', () => {
  const result = renderChart({ chart: 'linkerd-multicluster', release: 'stable-2.14.10', values: {} });
  expect('problems' in result ? result.problems.map(({ code, why }) => [code, why]) : []).toEqual([
    [
      'chart-not-in-release',
      'Its chart has no service mirrors: `linkerd multicluster link` installs each from a chart of its own',
    ],
  ]);
});

test('it refers to credentials by name, and provides accounts', () => {
  const { requires, provides, defaults } = chart();
  const values = { ...defaults, ...linksTo('west'), imagePullSecrets: [{ name: 'pull' }] };
  expect(requires(values, 'm')).toEqual([
    { kind: 'Secret', namespace: 'm', name: 'cluster-credentials-west' },
    { kind: 'Secret', namespace: 'm', name: 'pull' },
  ]);
  expect(provides(values, 'm').map(({ name }) => name)).toContain('controller-west');
});
