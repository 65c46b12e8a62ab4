import { ApiObject, Chart, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { EDGE, job, mesh, podSpec, problemsOf, STABLE } from './fixture';

const never = { code: 'job-never-ends', parameters: { job: 'Job shop/migrate' } };

test('a job of 2.14 never ends in a meshed namespace', () => {
  const { chart, meshing } = mesh(STABLE);
  job(chart);
  meshing.namespace('shop');
  expect(ruleFindingsIn(chart)).toMatchObject([never]);
});

test('a job in a List is no better', () => {
  const { chart, meshing } = mesh(STABLE);
  const migrate = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate' },
    spec: { template: { spec: podSpec() } },
  };
  new ApiObject(chart, 'all', { apiVersion: 'v1', kind: 'List', items: [migrate] });
  meshing.namespace('shop');
  expect(ruleFindingsIn(chart)).toMatchObject([never]);
});

test('the order of the two does not matter', () => {
  const { chart, meshing } = mesh(STABLE);
  meshing.namespace('shop');
  job(chart);
  expect(ruleFindingsIn(chart)).toMatchObject([never]);
});

test('a CronJob is no better', () => {
  const { chart, meshing } = mesh(STABLE);
  meshing.namespace('shop');
  new ApiObject(chart, 'nightly', {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'nightly' },
    spec: { jobTemplate: { spec: { template: { spec: podSpec() } } } },
  });
  expect(ruleFindingsIn(chart)).toMatchObject([
    { code: 'job-never-ends', parameters: { job: 'CronJob shop/nightly' } },
  ]);
});

test.each(['plain', 'plus'])('a namespace that is injected as a %s object counts as well', (form) => {
  const { chart, meshing } = mesh(STABLE);
  const metadata = { name: 'shop' };
  meshing.inject(
    form === 'plain'
      ? new ApiObject(chart, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata })
      : new kplus.Namespace(chart, 'namespace', { metadata }),
  );
  job(chart);
  expect(ruleFindingsIn(chart)).toMatchObject([never]);
});

test('jobs that stay out, that run linkerd-await or that are in another namespace are fine', () => {
  const { chart, meshing } = mesh(STABLE);
  meshing.namespace('shop');
  meshing.exclude(job(new Chart(chart, 'a', { namespace: 'shop' })));
  job(new Chart(chart, 'b', { namespace: 'shop' }), {
    containers: [{ name: 'main', command: ['/linkerd-await', '--shutdown', '--', '/web'] }],
  });
  job(new Chart(chart, 'c', { namespace: 'other' }));
  expect(problemsOf(chart)).toEqual([]);
});

test('a job that is injected itself is reported once', () => {
  const { chart, meshing } = mesh(STABLE);
  meshing.namespace('shop');
  meshing.inject(job(chart));
  expect(ruleFindingsIn(chart)).toMatchObject([never]);
});

test('with native sidecars jobs end', () => {
  const { chart, meshing } = mesh(EDGE);
  meshing.namespace('shop');
  job(chart);
  expect(problemsOf(chart)).toEqual([]);
});

test('unless the namespace turns these off', () => {
  const { chart, meshing } = mesh(EDGE);
  meshing.namespace('shop', { proxy: { nativeSidecar: false } });
  job(chart);
  expect(ruleFindingsIn(chart)).toMatchObject([never]);
});

test('a namespace that is kept out is fine', () => {
  const { chart, meshing } = mesh(STABLE);
  meshing.namespace('shop', {}, 'disabled');
  job(chart);
  expect(problemsOf(chart)).toEqual([]);
  expect(plainObjects(chart).find(({ kind }) => kind === 'Namespace').metadata.annotations['linkerd.io/inject']).toBe(
    'disabled',
  );
});

test('objects without a namespace lie in default', () => {
  const chart = new Chart(Testing.app(), 'plain');
  new Meshing(chart, 'meshing', { controlPlane: STABLE }).namespace('default');
  job(chart);
  expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'job-never-ends', parameters: { job: 'Job migrate' } }]);
});

test('or the control plane does, and nothing else says otherwise', () => {
  const { chart, meshing } = mesh({ ...EDGE, nativeSidecars: false });
  meshing.namespace('shop');
  job(chart);
  expect(ruleFindingsIn(chart)).toMatchObject([
    {
      code: 'job-never-ends',
      cause: 'control-plane',
    },
  ]);
});

test('or the release does, where nothing says otherwise', () => {
  const { chart, meshing } = mesh({ release: 'edge-26.5.1' });
  meshing.namespace('shop');
  job(chart);
  expect(ruleFindingsIn(chart)).toMatchObject([
    {
      code: 'job-never-ends',
      cause: 'default',
      parameters: { version: 'edge-26.5.1' },
    },
  ]);
});

test('a job that is injected itself ends all the same', () => {
  const { chart, meshing } = mesh({ ...EDGE, nativeSidecars: false });
  meshing.namespace('shop');
  meshing.inject(job(chart));
  expect(problemsOf(chart)).toEqual([]);
});

describe('what the injector copies from a namespace to pods, between quotes', () => {
  test.each([
    ['config.linkerd.io/proxy-additional-env', { proxy: { env: [{ name: 'A', value: 'b' }] } }],
    ['config.linkerd.io/proxy-log-level', { proxy: { logLevel: 'linkerd["a"]=info' } }],
  ])('%s', (key, config) => {
    const { chart, meshing } = mesh(EDGE);
    meshing.namespace('shop', config);
    expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'annotation-not-copyable', parameters: { annotation: key } }]);
  });

  test('is no matter of workloads, which have the annotation already', () => {
    const { chart, meshing } = mesh(EDGE);
    meshing.inject(job(chart), { proxy: { env: [{ name: 'A', value: 'b' }] } });
    expect(problemsOf(chart)).toEqual([]);
  });
});
