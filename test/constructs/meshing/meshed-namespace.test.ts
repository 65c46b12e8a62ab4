import { ApiObject, Chart, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { ruleFindingsIn } from '../../support/findings';
import { EDGE, job, mesh, podSpec, problemsOf, STABLE } from './fixture';

const never = { code: 'job-never-ends', parameters: { job: 'Job shop/migrate' } };

type Case = readonly [what: string, of: Parameters<typeof mesh>[0], build: (made: ReturnType<typeof mesh>) => void];

const cronJob = { jobTemplate: { spec: { template: { spec: podSpec() } } } };
const inList = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'migrate' } };
const byHand = (apiVersion: string, kind: string, name: string, content: object) => (chart: Chart) =>
  new ApiObject(chart, name, { apiVersion, kind, metadata: { name }, ...content });

const withJob =
  (...config: Parameters<Meshing['namespace']> extends [string, ...infer More] ? More : never) =>
  ({ chart, meshing }: ReturnType<typeof mesh>) => {
    meshing.namespace('shop', ...config);
    job(chart);
  };

test.each<[...Case, finding: object]>([
  ['a Job of 2.14', STABLE, withJob(), never],
  [
    'a Job that is created before its Namespace',
    STABLE,
    ({ chart, meshing }) => {
      job(chart);
      meshing.namespace('shop');
    },
    never,
  ],
  [
    'a Job in a List',
    STABLE,
    ({ chart, meshing }) => {
      meshing.namespace('shop');
      byHand('v1', 'List', 'all', { items: [{ ...inList, spec: { template: { spec: podSpec() } } }] })(chart);
    },
    never,
  ],
  [
    'a CronJob',
    STABLE,
    ({ chart, meshing }) => {
      meshing.namespace('shop');
      byHand('batch/v1', 'CronJob', 'nightly', { spec: cronJob })(chart);
    },
    { ...never, parameters: { job: 'CronJob shop/nightly' } },
  ],
  [
    'a Job in a Namespace that is injected as a plain object',
    STABLE,
    ({ chart, meshing }) => {
      meshing.inject(byHand('v1', 'Namespace', 'shop', {})(chart));
      job(chart);
    },
    never,
  ],
  [
    'a Job in a Namespace of cdk8s-plus',
    STABLE,
    ({ chart, meshing }) => {
      meshing.inject(new kplus.Namespace(chart, 'namespace', { metadata: { name: 'shop' } }));
      job(chart);
    },
    never,
  ],
  [
    'a Job that is injected itself, by one finding',
    STABLE,
    ({ chart, meshing }) => {
      meshing.namespace('shop');
      meshing.inject(job(chart));
    },
    never,
  ],
  ['a Job where the namespace turns native sidecars off', EDGE, withJob({ proxy: { nativeSidecar: false } }), never],
  [
    'a Job where the control plane turns native sidecars off',
    { ...EDGE, nativeSidecars: false },
    withJob(),
    { ...never, cause: 'control-plane' },
  ],
  [
    'a Job of a release without native sidecars by default',
    { release: 'edge-26.5.1' },
    withJob(),
    { ...never, cause: 'default', parameters: { version: 'edge-26.5.1' } },
  ],
])('synth warns of a Job that never ends in a meshed namespace: %s', (_what, of, build, finding) => {
  const made = mesh(of);
  build(made);
  expect(ruleFindingsIn(made.chart)).toMatchObject([finding]);
});

test.each<Case>([
  ['Jobs with native sidecars', EDGE, withJob()],
  ['Jobs in a namespace that is excluded from the mesh', STABLE, withJob({}, 'disabled')],
  [
    'a Job that is injected itself, with a native sidecar',
    { ...EDGE, nativeSidecars: false },
    ({ chart, meshing }) => {
      meshing.namespace('shop');
      meshing.inject(job(chart));
    },
  ],
  [
    'Jobs that are excluded, run linkerd-await or are in another namespace',
    STABLE,
    ({ chart, meshing }) => {
      meshing.namespace('shop');
      meshing.exclude(job(new Chart(chart, 'a', { namespace: 'shop' })));
      job(new Chart(chart, 'b', { namespace: 'shop' }), {
        containers: [{ name: 'main', command: ['/linkerd-await', '--shutdown', '--', '/web'] }],
      });
      job(new Chart(chart, 'c', { namespace: 'other' }));
    },
  ],
])('synth does not warn of %s', (_what, of, build) => {
  const made = mesh(of);
  build(made);
  expect(problemsOf(made.chart)).toEqual([]);
});

test('synth places a Job without a namespace in the namespace default', () => {
  const chart = new Chart(Testing.app(), 'plain');
  new Meshing(chart, 'meshing', { controlPlane: STABLE }).namespace('default');
  job(chart);
  expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'job-never-ends', parameters: { job: 'Job migrate' } }]);
});

describe('an annotation that the injector copies from a namespace to pods', () => {
  test.each([
    ['config.linkerd.io/proxy-additional-env', { proxy: { env: [{ name: 'A', value: 'b' }] } }],
    ['config.linkerd.io/proxy-log-level', { proxy: { logLevel: 'linkerd["a"]=info' } }],
  ])('is refused with quotation marks in its value: %s', (key, config) => {
    const { chart, meshing } = mesh(EDGE);
    meshing.namespace('shop', config);
    expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'annotation-not-copyable', parameters: { annotation: key } }]);
  });

  test('is not checked on workloads, whose annotations the injector does not copy', () => {
    const { chart, meshing } = mesh(EDGE);
    meshing.inject(job(chart), { proxy: { env: [{ name: 'A', value: 'b' }] } });
    expect(problemsOf(chart)).toEqual([]);
  });
});
