import { Cron } from 'cdk8s';
import { DashboardIngress, JaegerToTempo, Prometheus, Viz } from '../../lib';
import { exactly, expectFirst, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

test.each([
  ['a scheme and a path', 'https://Linkerd.example.com/viz', { proposed: 'linkerd.example.com' }],
  ['a port', 'linkerd.example.com:443', { proposed: 'linkerd.example.com' }],
  ['letters that DNS does not know', 'lînkerd.example.com', { proposed: 'l-nkerd.example.com' }],
  ['a wildcard in the middle', 'linkerd.*.example.com', { proposed: '*.example.com' }],
  ['no letters at all', '', { proposed: 'my-name.example.com' }],
  ['only an address', '10.0.0.1', {}],
])('a host with %s', (_, host, parameters) => {
  const external = [{ kind: 'Secret', namespace: 'linkerd-viz', name: 'users' }] as const;
  const problems = refused(
    (cluster) => {
      const { controlPlane } = mesh(cluster);
      const ingress = DashboardIngress.nginx({ host, basicAuthSecret: { name: 'users' } });
      new Viz(cluster, 'viz', { controlPlane, prometheus: Prometheus.embedded(), ingress });
    },
    { cluster: { external } },
  );
  expectFirst(problems, {
    at: 'home/viz',
    code: 'name-invalid',
    parameters: { field: 'ingress.host', value: `"${host}"`, ...parameters },
  });
});

test.each([
  ['61 * * * *', { range: '61' }],
  ['0 0 * *', { count: 4 }],
  ['0 24 * * *', { range: '24' }],
  ['* * * * funday', { range: 'funday' }],
])('a schedule that CronJobs refuse: %s', (expression, wrong) => {
  const [minute = '', hour, day, month, weekDay] = expression.split(' ');
  const heartbeat = weekDay === undefined ? badCron(expression) : Cron.schedule({ minute, hour, day, month, weekDay });
  expectFirst(
    refused((cluster) => mesh(cluster, { controlPlane: { heartbeat } })),
    {
      at: 'home/linkerd',
      code: 'cron-expression-refused',
      parameters: { field: 'heartbeat', expression, ...wrong },
    },
  );
});

/** A schedule that Cron.schedule would not make: it always has five fields. */
function badCron(expressionString: string): Cron {
  return Object.assign(Cron.hourly(), { expressionString });
}

test('a DNS name that is none', () => {
  expect(refused((cluster) => mesh(cluster, { pki: { trustDomain: 'Mesh.Example' } }))).toEqual(
    exactly({
      at: 'home/pki',
      code: 'name-invalid',
      parameters: {
        field: 'trustDomain',
        value: '"Mesh.Example"',
        proposed: 'mesh.example',
      },
    }),
  );
});

test('a DNS name that is too long for a certificate', () => {
  const trustDomain = `${'mesh'.repeat(12)}.example.com`;
  expect(refused((cluster) => mesh(cluster, { pki: { trustDomain } }))).toEqual(
    exactly({
      at: 'home/pki',
      code: 'name-too-long',
      cause: 'issuer',
      parameters: { name: `identity.linkerd.${trustDomain}`, length: 77, most: 64 },
    }),
  );
});

test('the name of a Service that is an address', () => {
  const problems = refused((cluster) => {
    const { controlPlane } = mesh(cluster);
    const tempo = { service: 'tempo.tracing', namespace: 'tracing', serviceAccount: 'tempo' };
    new JaegerToTempo(cluster, 'tracing', { controlPlane, tempo });
  });
  expect(problems).toEqual(
    exactly({
      at: 'home/tracing',
      code: 'name-invalid',
      parameters: {
        field: 'tempo.service',
        value: '"tempo.tracing"',
        proposed: 'tempo-tracing',
      },
    }),
  );
});

test.each([
  ['My Namespace', 'my-namespace'],
  ['-linkerd', 'linkerd'],
  ['linkerd.mesh', 'linkerd-mesh'],
  ['x'.repeat(64), 'x'.repeat(63)],
])('a namespace that Kubernetes refuses: %s', (namespace, proposed) => {
  const problems = refused((cluster) => mesh(cluster, { certManager: { namespace } }));
  expectFirst(problems, {
    at: 'home/cert-manager',
    code: 'name-invalid',
    parameters: {
      field: 'namespace',
      value: expect.stringContaining(`"${namespace}"`),
      proposed,
    },
  });
  expect(problems.filter(({ message }) => !message.includes(namespace))).toEqual([]);
});
