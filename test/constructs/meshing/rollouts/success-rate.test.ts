import { Duration } from 'cdk8s';
import { SuccessRate, type SuccessRateProps } from '#lib/constructs/meshing/rollouts/success-rate';
import { Prometheus, type ServiceAccountRef } from '#lib/constructs/viz/prometheus';
import { Viz } from '#lib/constructs/viz/viz';
import { ruleFindingsIn } from '#test/support/findings';
import { plainObjects } from '#test/support/plain-app';
import { cluster, controlPlane } from '../../viz/mesh-fixture';
import { mesh } from '../fixture';

type WithUrl = Extract<SuccessRateProps, { readonly prometheusUrl: string }>;

function successRate(props: Partial<WithUrl> = {}) {
  const { chart } = mesh();
  const made = new SuccessRate(chart, 'rate', {
    namespace: 'shop',
    prometheusUrl: 'http://prometheus.monitoring:9090',
    ...props,
  });
  return { chart, made };
}

describe('a measurement', () => {
  /** Reads conditions as Argo Rollouts does (analysis.md, "Inconclusive Runs"). */
  function outcome(result: readonly number[], props: Partial<WithUrl> = {}) {
    const [{ successCondition, failureCondition }] = plainObjects(successRate(props).chart)[0].spec.metrics;
    const holds = (condition: string): boolean =>
      new Function('result', 'len', 'isNaN', `return ${condition}`)(
        result,
        (list: unknown[]) => list.length,
        Number.isNaN,
      );
    if (failureCondition !== undefined && holds(failureCondition)) return 'failed';
    if (holds(successCondition)) return 'successful';
    return failureCondition === undefined ? 'failed' : 'inconclusive';
  }

  test.each<[readonly number[], string]>([
    [[1], 'successful'],
    [[0.95], 'successful'],
    [[0.949], 'failed'],
    [[0], 'failed'],
    [[], 'inconclusive'],
    [[Number.NaN], 'inconclusive'],
  ])('of %p is rated %s', (result, expected) => expect(outcome(result)).toBe(expected));

  test.each<[readonly number[], string]>([
    [[0.95], 'successful'],
    [[0.5], 'failed'],
    [[], 'successful'],
    [[Number.NaN], 'successful'],
  ])('of %p is rated %s if the absence of requests is a success', (result, expected) => {
    expect(outcome(result, { withoutRequests: 'success' })).toBe(expected);
  });
});

test('the user can choose all settings of an analysis by success rate', () => {
  const [template] = plainObjects(
    successRate({ name: 'strict', successRate: 1, interval: Duration.minutes(5), measurements: 10, failureLimit: 2 })
      .chart,
  );
  expect(template.metadata.name).toBe('strict');
  expect(template.spec.metrics[0]).toMatchObject({
    interval: '5m',
    count: 10,
    failureLimit: 2,
    successCondition: expect.stringContaining('>= 1'),
    provider: { prometheus: { query: expect.stringContaining('[5m]') } },
  });
});

test('a Rollout passes the hash of its new pods to the analysis by success rate', () =>
  expect(successRate().made.analysis).toEqual({
    templates: [{ templateName: 'linkerd-success-rate' }],
    args: [{ name: 'pod-template-hash', valueFrom: { podTemplateHashValue: 'Latest' } }],
  }));

test.each<[Partial<WithUrl>, object]>([
  [{ successRate: 95 }, { code: 'success-rate-refused', parameters: { rate: 95 } }],
  [{ successRate: 0 }, { code: 'success-rate-refused', parameters: { rate: 0 } }],
  [{ measurements: 0 }, { code: 'success-rate-refused', parameters: { measurements: 0, failureLimit: 0 } }],
  [{ measurements: 1.5 }, { code: 'success-rate-refused', parameters: { measurements: 1.5, failureLimit: 0 } }],
  [{ failureLimit: 3 }, { code: 'success-rate-refused', parameters: { measurements: 3, failureLimit: 3 } }],
  [{ failureLimit: -1 }, { code: 'success-rate-refused', parameters: { measurements: 3, failureLimit: -1 } }],
  [{ interval: Duration.millis(0.5) }, { what: expect.stringContaining('interval is 0.5 milliseconds') }],
  [{ namespace: 'Shop' }, { what: expect.stringContaining('namespace is "Shop"') }],
  [{ name: 'a_b' }, { what: expect.stringContaining('name is "a_b"') }],
])('an analysis by success rate refuses %j', (props, problem) =>
  expect(ruleFindingsIn(successRate(props).chart)).toMatchObject([problem]),
);

describe('with Viz,', () => {
  function withViz(prometheus: Prometheus, rollouts?: ServiceAccountRef) {
    const mesh = cluster();
    const viz = new Viz(mesh, 'viz', { controlPlane: controlPlane(mesh, 'edge-26.8.3'), prometheus });
    return { mesh, viz, props: { namespace: 'shop', viz, ...(rollouts === undefined ? {} : { rollouts }) } };
  }
  const readersOf = (objects: readonly { kind: string; spec?: { identityRefs?: unknown } }[]) =>
    objects.filter(({ kind }) => kind === 'MeshTLSAuthentication').map(({ spec }) => spec?.identityRefs);
  const addressOf = (objects: readonly { kind: string }[]) =>
    objects.find(({ kind }) => kind === 'AnalysisTemplate') as
      | undefined
      | { kind: string; spec: { metrics: object[] } };

  test('the embedded Prometheus admits Argo Rollouts, by one policy', () => {
    const { mesh, props } = withViz(Prometheus.embedded());
    new SuccessRate(mesh, 'one', props);
    new SuccessRate(mesh, 'two', { ...props, name: 'two' });
    const objects = plainObjects(mesh);
    expect(readersOf(objects)).toContainEqual([
      { kind: 'ServiceAccount', namespace: 'argo-rollouts', name: 'argo-rollouts' },
    ]);
    expect(addressOf(objects)?.spec.metrics[0]).toMatchObject({
      provider: { prometheus: { address: 'http://prometheus.linkerd-viz.svc.cluster.local:9090' } },
    });
  });

  test('the embedded Prometheus admits its readers, and Argo Rollouts by a custom account', () => {
    const grafana = { namespace: 'grafana', name: 'grafana' };
    const rollouts = { namespace: 'delivery', name: 'rollouts' };
    const { mesh, props } = withViz(Prometheus.embedded({ readers: [grafana] }), rollouts);
    new SuccessRate(mesh, 'rate', props);
    expect(readersOf(plainObjects(mesh))).toContainEqual(
      [grafana, rollouts].map((account) => ({ kind: 'ServiceAccount', ...account })),
    );
  });

  test('an external Prometheus gets no policy', () => {
    const { mesh, props } = withViz(Prometheus.fromUrl({ url: 'http://prometheus.monitoring:9090/prometheus' }));
    new SuccessRate(mesh, 'rate', props);
    const objects = plainObjects(mesh);
    expect(JSON.stringify(readersOf(objects))).not.toContain('rollouts');
    expect(addressOf(objects)?.spec.metrics[0]).toMatchObject({
      provider: { prometheus: { address: 'http://prometheus.monitoring:9090/prometheus' } },
    });
  });

  test('an external Prometheus that requires credentials is refused', () => {
    const url = 'http://prometheus.monitoring:9090';
    const { mesh, props } = withViz(Prometheus.fromUrl({ url, credentialsSecret: 'prometheus' }));
    const rate = new SuccessRate(mesh, 'rate', props);
    expect(ruleFindingsIn(rate)).toMatchObject([
      { code: 'success-rate-refused', parameters: { secret: 'prometheus' } },
    ]);
  });

  test.each(['http://prometheus.linkerd-viz:9090', 'http://prometheus.linkerd-viz.svc.cluster.local:9090/'])(
    'synth refuses the URL %s of an embedded Prometheus that does not admit Argo Rollouts',
    (prometheusUrl) => {
      const { mesh, viz } = withViz(Prometheus.embedded());
      new SuccessRate(mesh, 'rate', { namespace: 'shop', prometheusUrl });
      const object = 'AnalysisTemplate shop/linkerd-success-rate';
      expect(ruleFindingsIn(viz)).toMatchObject([
        { code: 'prometheus-reader-refused', parameters: { object, namespace: 'linkerd-viz' } },
      ]);
      viz.addReader({ namespace: 'argo-rollouts', name: 'argo-rollouts' });
      expect(ruleFindingsIn(viz)).toEqual([]);
    },
  );
});
