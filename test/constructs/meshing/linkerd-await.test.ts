import { Cron, Duration } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { endsProxy } from '#lib/checks/linkerd/job-check';
import { wrapInLinkerdAwait } from '#lib/constructs/meshing/linkerd-await';
import { plainObjects } from '../../support/plain-app';
import { job, mesh, podSpec, problemsOf, STABLE } from './fixture';

const wrap = (pods: object, options: Parameters<typeof wrapInLinkerdAwait>[1] = {}) => {
  const { chart } = mesh();
  const target = job(chart, pods);
  const problems = wrapInLinkerdAwait(target, options);
  const { restartPolicy: _, ...spec } = target.toJson().spec.template.spec;
  return { problems, spec };
};

test('linkerd-await runs the command of a Job with its arguments', () => {
  const { spec, problems } = wrap({ containers: [{ name: 'main', command: ['/web', '-x'], args: ['y'] }] });
  expect(problems).toEqual([]);
  expect(spec.containers[0]).toEqual({
    name: 'main',
    command: ['/linkerd-await', '--shutdown', '--', '/web', '-x'],
    args: ['y'],
  });
});

test('linkerd-await takes its path and timeout from options', () => {
  const { spec } = wrap(podSpec(), { path: '/bin/linkerd-await', timeout: Duration.minutes(2) });
  expect(spec.containers[0].command).toEqual(['/bin/linkerd-await', '--shutdown', '--timeout=120s', '--', '/web']);
});

test('linkerd-await may be copied from another image', () => {
  const { spec } = wrap(
    {
      containers: [{ name: 'main', command: ['/web'], securityContext: { runAsNonRoot: true } }],
      volumes: [{ name: 'data', emptyDir: {} }],
    },
    { copyFrom: 'tools:1', path: '/tools/linkerd-await' },
  );
  expect(spec).toEqual({
    containers: [
      {
        name: 'main',
        command: ['/opt/linkerd-await/linkerd-await', '--shutdown', '--', '/web'],
        securityContext: { runAsNonRoot: true },
        volumeMounts: [{ name: 'linkerd-await', mountPath: '/opt/linkerd-await', readOnly: true }],
      },
    ],
    initContainers: [
      {
        name: 'linkerd-await',
        image: 'tools:1',
        command: ['cp', '/tools/linkerd-await', '/opt/linkerd-await/linkerd-await'],
        securityContext: { runAsNonRoot: true },
        volumeMounts: [{ name: 'linkerd-await', mountPath: '/opt/linkerd-await' }],
      },
    ],
    volumes: [
      { name: 'data', emptyDir: {} },
      { name: 'linkerd-await', emptyDir: {} },
    ],
  });
});

test('linkerd-await runs only the container that a prop names', () => {
  const { spec, problems } = wrap(several, { container: 'b' });
  expect(problems).toEqual([]);
  expect(spec.containers[0].command).toEqual(['/a']);
  expect(spec.containers[1].command).toEqual(['/linkerd-await', '--shutdown', '--', '/b']);
});
test('linkerd-await runs CronJobs of cdk8s-plus', () => {
  const { chart, meshing } = mesh(STABLE);
  const cronJob = new kplus.CronJob(chart, 'nightly', {
    schedule: Cron.daily(),
    containers: [{ image: 'web:1', command: ['/web'] }],
  });
  meshing.inject(cronJob, { linkerdAwait: {} });
  expect(problemsOf(chart)).toEqual([]);
  expect(plainObjects(chart)[0].spec.jobTemplate.spec.template.spec.containers[0].command).toEqual([
    '/linkerd-await',
    '--shutdown',
    '--',
    '/web',
  ]);
});

const several = {
  containers: [
    { name: 'a', command: ['/a'] },
    { name: 'b', command: ['/b'] },
  ],
};

test.each<[object, Parameters<typeof wrapInLinkerdAwait>[1], object]>([
  [{ containers: [{ name: 'main', image: 'web:1' }] }, {}, { container: 'main', job: 'Job shop/migrate' }],
  [{ containers: [{ name: 'main', command: [] }] }, {}, { container: 'main', job: 'Job shop/migrate' }],
  [several, {}, { job: 'Job shop/migrate', containers: 'a, b' }],
  [podSpec(), { container: 'x' }, { container: 'x', job: 'Job shop/migrate', containers: 'main' }],
  [podSpec(), { timeout: Duration.millis(1500) }, { milliseconds: 1500 }],
])('linkerd-await refuses %j with %j, and changes nothing', (pods, options, parameters) => {
  const { problems, spec } = wrap(pods, options);
  expect(problems).toMatchObject([{ code: 'linkerd-await-refused', parameters }]);
  expect(spec).toEqual(pods);
});
test.each([
  [['/linkerd-await', '--shutdown', '--', '/web'], true],
  [['/opt/bin/linkerd-await', '-S', '/web'], true],
  [['/linkerd-await', '--', '/web', '--shutdown'], false],
  [['/linkerd-await', '--', '/web'], false],
  [['/web', '--shutdown'], false],
  [['sh', '-c', 'linkerd-await --shutdown -- /web'], true],
  [['sh', '-c', '/linkerd-await -t 10s -S /web'], true],
  [['sh', '-c', 'linkerd-await -- /web'], false],
  [['sh', '-c', '/web; curl -X POST http://localhost:4191/shutdown'], true],
  [['sh', '-c', '/web'], false],
  [[], false],
])('synth detects whether a pod that runs %j ends its proxy: %s', (command, expected) =>
  expect(endsProxy({ containers: [{ name: 'other' }, { command }] })).toBe(expected),
);
