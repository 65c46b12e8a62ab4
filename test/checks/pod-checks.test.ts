import { checkImages, checkJob } from '#lib/checks/pod-checks';
import { facts } from '../support/findings';

const deployment = (image: string, list = 'containers') => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { template: { spec: { [list]: [{ name: 'web', image }] } } },
});

test.each(['bitnami/nginx', 'docker.io/bitnami/nginx:1.27', `index.docker.io/bitnami/nginx@sha256:${'0'.repeat(64)}`])(
  'checkImages reports the abandoned image %s',
  (image) => {
    expect(checkImages(deployment(image))).toMatchObject([
      {
        code: 'image-abandoned',
        place: 'Deployment shop/web: spec.template.spec.containers[0]',
        parameters: { image },
      },
    ]);
  },
);

test('checkImages reports the abandoned image of an init container', () => {
  expect(checkImages(deployment('bitnami/nginx', 'initContainers'))).toHaveLength(1);
});

test.each(['nginx', 'bitnamilegacy/nginx', 'ghcr.io/bitnami/nginx', 'example.com/docker.io/bitnami/nginx'])(
  'checkImages does not take %s for an abandoned image',
  (image) => expect(checkImages(deployment(image))).toEqual([]),
);

test('checkImages ignores kinds without known pods', () => {
  expect(checkImages({ ...deployment('bitnami/nginx'), kind: 'Tenant', apiVersion: 'example.com/v1' })).toEqual([]);
});

test.each(['a..b', 'a-:1', 'a___b', 'registry.example.com/Team/app', ' nginx'])(
  'checkImages refuses the image %j',
  (image) => {
    const place = 'Deployment shop/web: spec.template.spec.containers[0]';
    expect(checkImages(deployment(image))).toMatchObject([{ code: 'image-refused', place, parameters: { image } }]);
  },
);

test.each(['Registry.Example.com/app:1', '[::1]:5000/app:1', ''])('checkImages accepts the image %j', (image) => {
  expect(checkImages(deployment(image))).toEqual([]);
});

const cronJob = (schedule: unknown, ...containers: readonly object[]) => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'restarter', namespace: 'linkerd' },
  spec: { schedule, jobTemplate: { spec: { template: { spec: { containers } } } } },
});
const job = (spec: object, apiVersion = 'batch/v1') => ({
  apiVersion,
  kind: 'Job',
  metadata: { name: 'restarter', namespace: 'linkerd' },
  spec: { template: { spec } },
});
const problems = (object: Parameters<typeof checkJob>[0]) => checkJob(object).map(facts);
const HOURLY = '@hourly';
const KUBECTL = { name: 'a', command: ['kubectl', 'get', 'pods'] };

test.each([
  ['61 * * * *', 'out-of-range'],
  ['', 'field-count'],
  ['TZ=UTC 25 6 * * *', 'time-zone'],
])('checkJob refuses a schedule that CronJobs refuse: "%s"', (schedule, cause) => {
  expect(checkJob(cronJob(schedule))).toMatchObject([
    {
      code: 'cron-expression-refused',
      cause,
      place: 'CronJob linkerd/restarter',
      parameters: { field: 'spec.schedule', expression: schedule },
    },
  ]);
});

test.each([
  [{ name: 'b', command: ['/usr/bin/kubectl', 'version'] }],
  [{ name: 'b', command: ['sh', '-c', 'sleep 5; kubectl version'] }],
  [{ name: 'b', args: ['kubectl', 'version'] }],
  [{ name: 'b', image: 'registry.k8s.io/kubectl:v1.34.4', args: ['version'] }],
])('checkJob reports two containers that race each other: kubectl and %j', (step) => {
  expect(problems(cronJob(HOURLY, KUBECTL, step))).toMatchObject([
    { finding: 'containers-race', job: 'CronJob linkerd/restarter', containers: 'a and b' },
  ]);
  expect(problems(job({ containers: [KUBECTL, step] }))).toMatchObject([
    { finding: 'containers-race', job: 'Job linkerd/restarter', containers: 'a and b' },
  ]);
});

test.each([
  ['alone', [KUBECTL]],
  ['and another command', [KUBECTL, { name: 'b', image: 'proxy', command: ['log', 'kubectl-like'] }]],
  ['and its image with another command', [KUBECTL, { name: 'b', image: 'example.com/kubectl', command: ['sleep'] }]],
])('checkJob reports no race of one container with kubectl %s', (_, containers) => {
  expect(problems(cronJob(HOURLY, ...containers))).toEqual([]);
});

test('checkJob reports no race of init containers, which run in sequence', () => {
  expect(problems(job({ initContainers: [KUBECTL], containers: [KUBECTL] }))).toEqual([]);
});

test('checkJob ignores Jobs of other API groups', () => {
  expect(problems(job({ containers: [KUBECTL, KUBECTL] }, 'batch.volcano.sh/v1alpha1'))).toEqual([]);
});
