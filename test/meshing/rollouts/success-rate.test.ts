import { Duration, Testing } from 'cdk8s';
import { SuccessRate, type SuccessRateProps } from '../../../lib/meshing/rollouts/success-rate';
import { mesh, problemsOf } from '../fixture';

function successRate(props: Partial<SuccessRateProps> = {}) {
  const { chart } = mesh();
  const made = new SuccessRate(chart, 'rate', {
    namespace: 'shop',
    prometheusUrl: 'http://prometheus.monitoring:9090',
    ...props,
  });
  return { chart, made };
}

test('the successes among the responses of the new pods are measured', () => {
  const [template] = Testing.synth(successRate().chart);
  const labels = 'direction="inbound",namespace="shop",rollouts_pod_template_hash="{{args.pod-template-hash}}"';
  expect(template).toEqual({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AnalysisTemplate',
    metadata: { name: 'linkerd-success-rate', namespace: 'shop' },
    spec: {
      args: [{ name: 'pod-template-hash' }],
      metrics: [
        {
          name: 'success-rate',
          interval: '1m',
          count: 3,
          failureLimit: 0,
          successCondition: 'len(result) == 0 || isNaN(result[0]) || result[0] >= 0.95',
          provider: {
            prometheus: {
              address: 'http://prometheus.monitoring:9090',
              query: `sum(rate(response_total{classification="success",${labels}}[1m])) / sum(rate(response_total{${labels}}[1m]))`,
            },
          },
        },
      ],
    },
  });
});

test('all of it can be chosen', () => {
  const [template] = Testing.synth(
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

test('a Rollout passes the hash of its new pods', () =>
  expect(successRate().made.analysis).toEqual({
    templates: [{ templateName: 'linkerd-success-rate' }],
    args: [{ name: 'pod-template-hash', valueFrom: { podTemplateHashValue: 'Latest' } }],
  }));

test.each<[Partial<SuccessRateProps>, string]>([
  [{ successRate: 95 }, 'successRate is 95'],
  [{ successRate: 0 }, 'successRate is 0'],
  [{ measurements: 0 }, 'measurements is 0 and failureLimit is 0'],
  [{ measurements: 1.5 }, 'measurements is 1.5 and failureLimit is 0'],
  [{ failureLimit: 3 }, 'measurements is 3 and failureLimit is 3'],
  [{ failureLimit: -1 }, 'measurements is 3 and failureLimit is -1'],
  [{ interval: Duration.millis(0.5) }, 'interval is 0.5 milliseconds'],
  [{ namespace: 'Shop' }, 'namespace is "Shop"'],
  [{ name: 'a_b' }, 'name is "a_b"'],
])('%j is a problem', (props, what) =>
  expect(problemsOf(successRate(props).chart)).toEqual([expect.stringContaining(what)]),
);
