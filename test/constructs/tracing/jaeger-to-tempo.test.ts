import { JsonPatch } from 'cdk8s';
import { JaegerToTempo } from '#lib/constructs/tracing/jaeger-to-tempo';
import type { TempoProps } from '#lib/constructs/tracing/tempo';
import { Prometheus } from '#lib/constructs/viz/prometheus';
import { Viz } from '#lib/constructs/viz/viz';
import { declarationsOf } from '#lib/gitops/tree/references';
import type { JaegerValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { ruleFactsIn, ruleFindingsIn } from '../../support/findings';
import { cluster, controlPlane, objectsIn, problemsOf, valuesOf } from '../viz/mesh-fixture';

const tempo: TempoProps = { service: 'tempo-distributor', namespace: 'tracing', serviceAccount: 'tempo' };

describe('JaegerToTempo for Linkerd 2.14 as a chart', () => {
  const stable = cluster('k8s.example');
  const linkerd = controlPlane(stable, 'stable-2.14.10');
  const tracing = new JaegerToTempo(stable, 'tracing', {
    controlPlane: linkerd,
    delivery: 'helm',
    tempo,
    values: { webhook: { logLevel: 'debug' }, imagePullSecrets: [{ name: 'pull' }] },
  });

  test('runs only the webhook of the extension, which sends traces to Tempo', () => {
    expect(valuesOf(tracing, 'linkerd-jaeger')).toEqual({
      clusterDomain: 'k8s.example',
      linkerdNamespace: 'linkerd',
      collector: { enabled: false },
      jaeger: { enabled: false },
      webhook: {
        collectorSvcAddr: 'tempo-distributor.tracing:55678',
        collectorSvcAccount: 'tempo',
        externalSecret: true,
        injectCaFrom: 'linkerd-jaeger/jaeger-injector',
        logLevel: 'debug',
      },
      imagePullSecrets: [{ name: 'pull' }],
    });
    expect(problemsOf(stable)).toEqual([]);
  });

  test('requires the certificate that its pods mount', () => {
    const [declared] = declarationsOf(tracing.node.findChild('jaeger').node.findChild('chart'));
    expect(declared?.requires).toEqual([
      { kind: 'Certificate', namespace: 'linkerd-jaeger', name: 'jaeger-injector' },
      { kind: 'Secret', namespace: 'linkerd-jaeger', name: 'jaeger-injector-k8s-tls' },
      { kind: 'Secret', namespace: 'linkerd-jaeger', name: 'pull' },
    ]);
  });

  test('has a restricted namespace with the CNI plugin', () => {
    const restricted = cluster();
    new JaegerToTempo(restricted, 'tracing', {
      controlPlane: controlPlane(restricted, 'stable-2.14.10', { cni: true }),
      tempo,
    });
    expect(objectsIn(restricted, 'linkerd-jaeger')['Namespace/linkerd-jaeger']?.metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
  });

  test('refuses values that restore the collector, or put a key into Git', () => {
    const bad = cluster();
    const construct = new JaegerToTempo(bad, 'tracing', {
      controlPlane: controlPlane(bad, 'stable-2.14.10'),
      tempo,
      values: { collector: { enabled: true }, webhook: { keyPEM: 'x', caBundle: 'y' }, enablePSP: true },
    });
    expect(ruleFactsIn(construct)).toMatchObject([
      { finding: 'private-key-found/values', path: 'values.webhook.keyPEM' },
      { finding: 'certificate-source-conflict/webhook-ca', path: 'webhook.caBundle' },
      { finding: 'chart-value-refused/pod-security-policy' },
      { finding: 'value-contradicts-prop', path: 'collector.enabled', value: 'true' },
    ]);
  });
});

describe('JaegerToTempo for Linkerd 2.14 as manifests', () => {
  const rendered = (values: JaegerValues<'stable-2.14.10'> = {}) => {
    const stable = cluster('k8s.example');
    const tracing = new JaegerToTempo(stable, 'tracing', {
      controlPlane: controlPlane(stable, 'stable-2.14.10'),
      tempo,
      values,
    });
    return { stable, tracing };
  };

  test('lets the user patch its objects, and no others', () => {
    const { stable, tracing } = rendered();
    tracing.patch('Deployment', 'jaeger-injector', JsonPatch.replace('/spec/replicas', 2));
    expect(objectsIn(stable, 'linkerd-jaeger')['Deployment/jaeger-injector']?.spec.replicas).toBe(2);
    tracing.patch('Deployment', 'collector', JsonPatch.replace('/spec/replicas', 2));
    expect(ruleFactsIn(tracing)).toMatchObject([{ finding: 'patch-unmatched', object: 'Deployment collector' }]);
  });
});

test('JaegerToTempo without a chart refuses patches', () => {
  const home = cluster();
  const tracing = new JaegerToTempo(home, 'tracing', { controlPlane: controlPlane(home, 'edge-26.8.3'), tempo });
  tracing.patch('Deployment', 'jaeger-injector', JsonPatch.replace('/spec/replicas', 2));
  expect(ruleFactsIn(tracing)).toMatchObject([{ finding: 'tracing-without-chart', version: 'edge-26.8.3' }]);
});

test('JaegerToTempo does not change a namespace that another construct meshes', () => {
  const home = cluster();
  const linkerd = controlPlane(home, 'edge-26.8.3');
  new JaegerToTempo(home, 'tracing', { controlPlane: linkerd, tempo: { ...tempo, meshNamespace: false } });
  expect(objectsIn(home, 'tracing')).toEqual({});
});

test('synth refuses two JaegerToTempo for one control plane', () => {
  const home = cluster();
  const linkerd = controlPlane(home, 'edge-26.8.3');
  new JaegerToTempo(home, 'one', { controlPlane: linkerd, tempo });
  new JaegerToTempo(home, 'other', { controlPlane: linkerd, tempo: { ...tempo, serviceAccount: 'default' } });
  expect(problemsOf(linkerd)).toEqual([expect.stringContaining('serviceAccountName')]);
});

test('the dashboard has no links to traces without a query service', () => {
  const home = cluster();
  const linkerd = controlPlane(home, 'edge-26.8.3');
  const viz = new Viz(home, 'viz', { delivery: 'helm', controlPlane: linkerd, prometheus: Prometheus.embedded() });
  new JaegerToTempo(home, 'tracing', { controlPlane: linkerd, viz, tempo });
  expect(valuesOf(viz, 'linkerd-viz').jaegerUrl).toBeUndefined();
  expect(problemsOf(home)).toEqual([]);
});

test('JaegerToTempo reports all its problems at once', () => {
  const home = cluster();
  const tracing = new JaegerToTempo(home, 'tracing', {
    controlPlane: controlPlane(home, 'edge-26.8.3'),
    tempo: {
      service: 'A',
      namespace: 'tracing',
      serviceAccount: 'tempo',
      ports: { otlp: -1 },
      query: { service: 'q' },
    },
  });
  expect(ruleFactsIn(tracing)).toMatchObject([
    { finding: 'name-invalid', field: 'tempo.service', value: '"A"' },
    { finding: 'port-refused/number', field: 'tempo.ports.otlp', port: '-1' },
    { finding: 'trace-links-without-viz', service: 'q' },
  ]);
});

test('JaegerToTempo reports values of a chart that the release does not have', () => {
  const home = cluster();
  const tracing = new JaegerToTempo<LinkerdVersion>(home, 'tracing', {
    controlPlane: controlPlane(home, 'edge-26.8.3'),
    tempo,
    values: { webhook: { logLevel: 'debug' } },
  });
  expect(ruleFindingsIn(tracing)).toMatchObject([
    { code: 'tracing-without-chart', parameters: { given: 'values', version: 'edge-26.8.3' } },
  ]);
});
