import { Cron } from 'cdk8s';
import { DashboardIngress, JaegerToTempo, Prometheus, Viz } from '../../lib';
import { exactly, expectFirst, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

test.each([
  ['a scheme and a path', 'https://Linkerd.example.com/viz', 'write it as "linkerd.example.com"'],
  ['a port', 'linkerd.example.com:443', 'write it as "linkerd.example.com"'],
  ['letters that DNS does not know', 'lînkerd.example.com', 'write it as "l-nkerd.example.com"'],
  ['a wildcard in the middle', 'linkerd.*.example.com', 'write it as "*.example.com"'],
  ['no letters at all', '', 'write it as "my-name.example.com"'],
  ['only an address', '10.0.0.1', 'a DNS name that resolves to the address'],
])('a host with %s', (_, host, fix) => {
  const external = [{ kind: 'Secret', namespace: 'linkerd-viz', name: 'users' }] as const;
  const problems = refused(
    (cluster) => {
      const { controlPlane } = mesh(cluster);
      const ingress = DashboardIngress.nginx({ host, basicAuthSecret: { name: 'users' } });
      new Viz(cluster, 'viz', { controlPlane, prometheus: Prometheus.embedded(), ingress });
    },
    { cluster: { external } },
  );
  expectFirst(problems, { at: 'home/viz', says: [`ingress.host is "${host}"`, 'Kubernetes refuses it'], fix });
});

test.each([
  ['61 * * * *', '"61" is no minute (values go from 0 to 59)'],
  ['0 0 * *', 'it has 4 fields instead of 5'],
  ['0 24 * * *', '"24" is no hour'],
  ['* * * * funday', '"funday" is no day of the week'],
])('a schedule that CronJobs refuse: %s', (expression, fault) => {
  const [minute = '', hour, day, month, weekDay] = expression.split(' ');
  const heartbeat = weekDay === undefined ? badCron(expression) : Cron.schedule({ minute, hour, day, month, weekDay });
  expectFirst(
    refused((cluster) => mesh(cluster, { controlPlane: { heartbeat } })),
    {
      at: 'home/linkerd',
      says: [`heartbeat is "${expression}"`, fault, 'Kubernetes refuses it as the schedule of a CronJob'],
      fix: 'write minute, hour, day of month, month and day of week',
    },
  );
});

/** A schedule that Cron.schedule would not make: it always has five fields. */
function badCron(expressionString: string): Cron {
  return Object.assign(Cron.hourly(), { expressionString });
}

test('a DNS name that is none', () => {
  expect(refused((cluster) => mesh(cluster, { pki: { trustDomain: 'Mesh.Example' } }))).toEqual(
    exactly({ at: 'home/pki', says: ['trustDomain is "Mesh.Example"'], fix: 'write it as "mesh.example"' }),
  );
});

test('a DNS name that is too long for a certificate', () => {
  const trustDomain = `${'mesh'.repeat(12)}.example.com`;
  expect(refused((cluster) => mesh(cluster, { pki: { trustDomain } }))).toEqual(
    exactly({
      at: 'home/pki',
      says: [`"identity.linkerd.${trustDomain}" has 77 characters`, 'allow 64'],
      fix: 'choose a shorter trustDomain',
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
    exactly({ at: 'home/tracing', says: ['tempo.service is "tempo.tracing"'], fix: 'write it as "tempo-tracing"' }),
  );
});

test.each([
  ['My Namespace', 'write it as "my-namespace"'],
  ['-linkerd', 'write it as "linkerd"'],
  ['linkerd.mesh', 'write it as "linkerd-mesh"'],
  ['x'.repeat(64), `write it as "${'x'.repeat(63)}"`],
])('a namespace that Kubernetes refuses: %s', (namespace, fix) => {
  const problems = refused((cluster) => mesh(cluster, { certManager: { namespace } }));
  expectFirst(problems, { at: 'home/cert-manager', says: [`namespace is "${namespace}"`], fix });
  expect(problems.filter(({ message }) => !message.includes(namespace))).toEqual([]);
});
