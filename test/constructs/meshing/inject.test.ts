import { ApiObject, Chart, Cron, Duration, JsonPatch } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { valueAtPointer } from '#base/json-pointer';
import { reviewTogether } from '#lib/checks/cluster/review-cluster';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { dependenciesOf } from '#lib/gitops/tree/order';
import { prepareTree } from '#lib/gitops/tree/prepare';
import { readTree } from '#lib/gitops/tree/read-tree';
import { ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { EDGE, job, mesh, podSpec, problemsOf, STABLE, workload } from './fixture';

const ANNOTATIONS = '/spec/template/metadata/annotations';
const ENABLED = { 'linkerd.io/inject': 'enabled' };
const containers = [{ image: 'web:1', command: ['/web'] }];
type Injection = Parameters<Meshing['inject']>;

function injected(target: (chart: Chart) => Injection[0], options?: Injection[1], of?: Parameters<typeof mesh>[0]) {
  const { chart, meshing } = mesh(of);
  meshing.inject(target(chart), options);
  return chart;
}

const web = (chart: Chart) => workload(chart, 'Deployment');
const NATIVE = { 'config.linkerd.io/proxy-enable-native-sidecar': 'true' };

describe('on objects of cdk8s-plus,', () => {
  test.each([
    ['Deployment', kplus.Deployment, ANNOTATIONS, {}],
    ['StatefulSet', kplus.StatefulSet, ANNOTATIONS, {}],
    ['DaemonSet', kplus.DaemonSet, ANNOTATIONS, {}],
    ['Job', kplus.Job, ANNOTATIONS, NATIVE],
    ['CronJob', kplus.CronJob, `/spec/jobTemplate${ANNOTATIONS}`, NATIVE],
    ['Pod', kplus.Pod, '/metadata/annotations', {}],
  ])('inject annotates the pods of a %s', (_, Kind, place, more) => {
    // kplus.StatefulSet creates a Service, which needs a port.
    const props = { containers: [{ ...containers[0], image: 'web:1', portNumber: 80 }], schedule: Cron.daily() };
    const chart = injected((of) => new Kind(of, 'web', props));
    const object = plainObjects(chart).find(({ kind }) => kind === Kind.name);
    expect(valueAtPointer(object, place)).toEqual({ ...ENABLED, ...more });
    expect(problemsOf(chart)).toEqual([]);
  });

  test('inject annotates a Namespace itself', () => {
    const chart = injected((of) => new kplus.Namespace(of, 'shop'));
    expect(valueAtPointer(plainObjects(chart)[0], '/metadata/annotations')).toEqual(ENABLED);
  });

  test('inject keeps containers that are added later', () => {
    const { chart, meshing } = mesh();
    const deployment = new kplus.Deployment(chart, 'web');
    meshing.inject(deployment);
    deployment.addContainer({ image: 'web:1' });
    expect(valueAtPointer(plainObjects(chart)[0], '/spec/template/spec/containers/0/image')).toBe('web:1');
  });
});

describe('on plain objects,', () => {
  test.each([
    ['Deployment', 'apps/v1'],
    ['StatefulSet', 'apps/v1'],
    ['DaemonSet', 'apps/v1'],
    ['ReplicaSet', 'apps/v1'],
    ['Rollout', 'argoproj.io/v1alpha1'],
  ])('inject annotates a %s of %s', (kind, apiVersion) => {
    const [object] = plainObjects(injected((chart) => workload(chart, kind, apiVersion)));
    expect(valueAtPointer(object, ANNOTATIONS)).toEqual(ENABLED);
    expect(valueAtPointer(object, '/spec/template/metadata/labels')).toEqual({ app: 'web' });
    expect(object.spec.template.spec).toEqual(podSpec());
  });

  test('inject keeps existing annotations', () => {
    const { chart, meshing } = mesh();
    const labels = { app: 'web' };
    const template = { metadata: { labels, annotations: { a: 'b' } }, spec: podSpec() };
    const spec = { selector: { matchLabels: labels }, template };
    meshing.inject(new ApiObject(chart, 'web', { apiVersion: 'apps/v1', kind: 'Deployment', spec }));
    expect(valueAtPointer(plainObjects(chart)[0], ANNOTATIONS)).toEqual({ a: 'b', ...ENABLED });
    expect(problemsOf(chart)).toEqual([]);
  });

  test('inject annotates an unknown kind at the path of podMetadata', () => {
    const { chart, meshing } = mesh();
    const object = new ApiObject(chart, 'web', { apiVersion: 'example.com/v1', kind: 'App', spec: {} });
    meshing.inject(object, { podMetadata: '/spec/pods/metadata' });
    expect(valueAtPointer(plainObjects(chart)[0], '/spec/pods/metadata/annotations')).toEqual(ENABLED);
    expect(problemsOf(chart)).toEqual([]);
  });

  test('inject mounts the service account token of Elasticsearch and Kibana', () => {
    const { chart, meshing } = mesh();
    const elastic = (kind: string, spec: object) =>
      new ApiObject(chart, kind, { apiVersion: `${kind.toLowerCase()}.k8s.elastic.co/v1`, kind, spec });
    meshing.inject(
      elastic('Elasticsearch', { nodeSets: [{ name: 'a' }, { name: 'b', podTemplate: { spec: { x: 1 } } }] }),
    );
    meshing.inject(elastic('Kibana', { count: 1 }));
    const [elasticsearch, kibana] = plainObjects(chart);
    const metadata = { annotations: ENABLED };
    expect(elasticsearch.spec.nodeSets).toEqual([
      { name: 'a', podTemplate: { metadata, spec: { automountServiceAccountToken: true } } },
      { name: 'b', podTemplate: { metadata, spec: { automountServiceAccountToken: true, x: 1 } } },
    ]);
    expect(kibana.spec.podTemplate).toEqual({ metadata, spec: { automountServiceAccountToken: true } });
  });
});

describe('injection modes:', () => {
  test('injectIngress sets the mode ingress', () => {
    const { chart, meshing } = mesh();
    meshing.injectIngress(workload(chart, 'Deployment'), { skipOutboundPorts: [443] });
    expect(valueAtPointer(plainObjects(chart)[0], ANNOTATIONS)).toEqual({
      'linkerd.io/inject': 'ingress',
      'config.linkerd.io/skip-outbound-ports': '443',
    });
  });

  test('exclude sets the mode disabled, and adds no other annotation', () => {
    const { chart, meshing } = mesh();
    meshing.exclude(job(chart));
    expect(valueAtPointer(plainObjects(chart)[0], ANNOTATIONS)).toEqual({ 'linkerd.io/inject': 'disabled' });
  });

  test.each(['plain', 'plus'])('two modes on one object (%s) are a problem, and the first mode is kept', (form) => {
    const { chart, meshing } = mesh();
    const target =
      form === 'plain' ? workload(chart, 'Deployment') : new kplus.Deployment(chart, 'web', { containers });
    meshing.inject(target);
    meshing.exclude(target);
    expect(ruleFindingsIn(chart)).toMatchObject([
      {
        code: 'annotation-contested',
        parameters: { key: 'linkerd.io/inject', value: 'disabled', existing: 'enabled' },
      },
    ]);
    expect(valueAtPointer(ApiObject.of(target).toJson(), ANNOTATIONS)).toEqual(ENABLED);
  });

  test('inject may be called twice on an object, with more configuration', () => {
    const { chart, meshing } = mesh();
    const target = workload(chart, 'Deployment');
    meshing.inject(target);
    meshing.inject(target, { opaquePorts: [3306] });
    expect(valueAtPointer(plainObjects(chart)[0], ANNOTATIONS)).toEqual({
      ...ENABLED,
      'config.linkerd.io/opaque-ports': '3306',
    });
  });
});

/** Returns the findings of rules for objects, without those for constructs. */
function objectFindingsIn(chart: Chart): readonly Problem[] {
  prepareTree(chart, 'cdk8s');
  return reviewTogether(readTree(chart, 'cdk8s')).map(({ problem }) => problem);
}

describe('the problems of inject', () => {
  test('include a kind without pods', () => {
    const chart = injected((of) => new kplus.ConfigMap(of, 'config'));
    expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'pods-not-found' }]);
  });

  test('include pods with the network of their node', () => {
    const { chart, meshing } = mesh();
    meshing.inject(new kplus.DaemonSet(chart, 'plus', { containers, hostNetwork: true }));
    meshing.inject(workload(chart, 'DaemonSet', 'apps/v1', podSpec({ hostNetwork: true })));
    expect(objectFindingsIn(chart)).toMatchObject([
      { code: 'host-network-in-mesh' },
      { code: 'host-network-in-mesh', parameters: { object: 'DaemonSet shop/web' } },
    ]);
  });

  test('do not include excluded pods with the network of their node', () => {
    const { chart, meshing } = mesh();
    meshing.exclude(workload(chart, 'DaemonSet', 'apps/v1', podSpec({ hostNetwork: true })));
    expect(problemsOf(chart)).toEqual([]);
  });

  test.each(['kube-system', 'cert-manager'])('include pods in %s, which the injector does not select', (namespace) => {
    const metadata = { name: 'web', namespace };
    const chart = injected((of) => new kplus.Deployment(of, 'web', { containers, metadata }));
    expect(objectFindingsIn(chart)).toMatchObject([
      { code: 'namespace-never-injected', parameters: { workload: `Deployment ${namespace}/web`, namespace } },
    ]);
  });
});

describe('jobs', () => {
  const OLDER = {
    'config.beta.linkerd.io/proxy-enable-native-sidecar': 'true',
    'config.alpha.linkerd.io/proxy-wait-before-exit-seconds': '0',
  };

  test.each([
    ['edge-26.5.2', NATIVE],
    ['edge-26.5.1', OLDER],
    ['2.19', OLDER],
  ] as const)('of %s have native sidecars, and override waitBeforeExit of the mesh', (release, annotations) => {
    const chart = injected(job, {}, { release });
    expect(plainObjects(chart)[0].spec.template.metadata.annotations).toEqual({ ...ENABLED, ...annotations });
    expect(problemsOf(chart)).toEqual([]);
  });

  test.each([
    ['edge-26.8.3', 'wait'],
    ['2.19', 'wait-fails'],
  ] as const)('of %s may not set waitBeforeExit for their proxies', (release, cause) => {
    const proxy = { waitBeforeExit: Duration.seconds(5) };
    const findings = ruleFindingsIn(injected(job, { proxy }, { release, nativeSidecars: false }));
    expect(findings).toMatchObject([{ code: 'setting-refused', cause }]);
  });

  test('with native sidecars turned off never end', () => {
    const findings = ruleFindingsIn(injected(job, { proxy: { nativeSidecar: false } }));
    expect(findings).toMatchObject([{ code: 'job-never-ends', cause: 'turned-off' }]);
  });

  test('of 2.14 never end without linkerd-await', () => {
    expect(ruleFindingsIn(injected(job, {}, STABLE))).toMatchObject([
      { code: 'job-never-ends', parameters: { job: 'Job shop/migrate', version: 'stable-2.14.10' } },
    ]);
  });

  test('of 2.14 may be excluded from the mesh', () => {
    const { chart, meshing } = mesh(STABLE);
    meshing.exclude(job(chart));
    expect(problemsOf(chart)).toEqual([]);
  });

  test('of 2.14 end with linkerd-await', () => {
    const chart = injected(job, { linkerdAwait: {} }, STABLE);
    expect(problemsOf(chart)).toEqual([]);
    const { spec, metadata } = plainObjects(chart)[0].spec.template;
    expect(metadata.annotations).toEqual(ENABLED);
    expect(spec.containers[0].command).toEqual(['/linkerd-await', '--shutdown', '--', '/web']);
  });

  test('of later releases need no linkerd-await', () => {
    expect(ruleFindingsIn(injected(job, { linkerdAwait: {} }))).toMatchObject([
      { code: 'linkerd-await-refused', parameters: { object: 'Job shop/migrate', version: 'edge-26.8.3' } },
    ]);
  });

  test('are the only workloads that may use linkerd-await', () => {
    expect(ruleFindingsIn(injected(web, { linkerdAwait: {} }, STABLE))).toMatchObject([
      { code: 'linkerd-await-refused', parameters: { object: 'Deployment shop/web' } },
    ]);
  });
});

describe('the order of a chart', () => {
  test('puts pods after the control plane that injects them', () => {
    const { chart } = mesh();
    const controlPlane = Object.assign(new Construct(chart, 'control-plane'), EDGE);
    const meshing = new Meshing(chart, 'other', { controlPlane });
    const [injected, excluded] = [workload(chart, 'Deployment'), workload(chart, 'DaemonSet')];
    meshing.inject(injected);
    meshing.exclude(excluded);
    expect(dependenciesOf(injected)).toEqual([controlPlane]);
    expect(dependenciesOf(excluded)).toEqual([]);
  });

  test('does not include pods of another chart', () => {
    const { chart } = mesh();
    const controlPlane = Object.assign(new Construct(chart, 'control-plane'), EDGE);
    const target = workload(new Chart(chart, 'inner'), 'Deployment');
    new Meshing(chart, 'other', { controlPlane }).inject(target);
    expect(dependenciesOf(target)).toEqual([]);
  });
});

describe('the option restart', () => {
  const LABELS = '/spec/template/metadata/labels';

  test.each([
    ['Deployment', 'apps/v1'],
    ['DaemonSet', 'apps/v1'],
    ['Rollout', 'argoproj.io/v1alpha1'],
  ])('adds its label to the existing labels of the pods of a %s', (kind, apiVersion) => {
    const chart = injected((of) => workload(of, kind, apiVersion), { restart: 'auto' });
    expect(valueAtPointer(plainObjects(chart)[0], LABELS)).toEqual({
      app: 'web',
      'config.linkerd.io/reconcile': 'auto',
    });
    expect(problemsOf(chart)).toEqual([]);
  });

  test('labels the pods of cdk8s-plus, and only where it is set', () => {
    const { chart, meshing } = mesh();
    meshing.inject(new kplus.Deployment(chart, 'web', { containers }), { restart: 'auto' });
    meshing.inject(new kplus.Deployment(chart, 'api', { containers }));
    const labels = plainObjects(chart).map((object) => valueAtPointer(object, LABELS));
    expect(labels).toEqual([
      expect.objectContaining({ 'config.linkerd.io/reconcile': 'auto' }),
      expect.not.objectContaining({ 'config.linkerd.io/reconcile': expect.anything() }),
    ]);
  });

  test('labels an unknown kind at the path of podMetadata', () => {
    const { chart, meshing } = mesh();
    const own = new ApiObject(chart, 'own', { apiVersion: 'example.com/v1', kind: 'App', spec: { pods: {} } });
    meshing.inject(own, { restart: 'auto', podMetadata: '/spec/pods/metadata' });
    expect(valueAtPointer(plainObjects(chart)[0], '/spec/pods/metadata/labels')).toEqual({
      'config.linkerd.io/reconcile': 'auto',
    });
  });

  test('keeps an existing label with another value, and reports it', () => {
    const { chart, meshing } = mesh();
    const web = workload(chart, 'Deployment');
    web.addJsonPatch(JsonPatch.add('/spec/template/metadata/labels', { 'config.linkerd.io/reconcile': 'manual' }));
    meshing.inject(web, { restart: 'auto' });
    expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'annotation-contested', parameters: { existing: 'manual' } }]);
  });

  test.each(['Job', 'Namespace', 'Pod'] as const)('is refused for a %s', (kind) => {
    const { chart, meshing } = mesh();
    const target =
      kind === 'Job'
        ? job(chart)
        : new ApiObject(chart, 'target', { apiVersion: 'v1', kind, metadata: { name: 'web' }, spec: podSpec() });
    meshing.inject(target, { restart: 'auto' });
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'restart-refused', parameters: { object: expect.stringContaining(kind) } },
    ]);
  });

  test('is refused with a value that the operator does not support', () => {
    expect(ruleFindingsIn(injected(web, { restart: 'always' as 'auto' }))).toMatchObject([
      { code: 'restart-refused', parameters: { restart: '"always"', object: 'Deployment shop/web' } },
    ]);
  });
});
