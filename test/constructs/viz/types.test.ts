import { JaegerToTempo } from '../../../lib/constructs/tracing/jaeger-to-tempo';
import { DashboardIngress } from '../../../lib/constructs/viz/ingress';
import { Prometheus } from '../../../lib/constructs/viz/prometheus';
import { Viz } from '../../../lib/constructs/viz/viz';
import { cluster, controlPlane, problemsOf } from './mesh-fixture';

const tempo = { service: 'tempo', namespace: 'tracing', serviceAccount: 'tempo' };

// The compiler is the assertion: tsc fails where one of the marked lines would compile. At run time nothing is called.
function refusedByTheCompiler(): void {
  const home = cluster();
  const edge = controlPlane(home, 'edge-26.8.3');
  const stable = controlPlane(home, 'stable-2.14.10');
  const prometheus = Prometheus.embedded();
  // @ts-expect-error a value that only newer charts know
  new Viz(home, 'b', { controlPlane: stable, prometheus, values: { createNamespaceMetadataJob: true } });
  // @ts-expect-error tracing without an identity
  new JaegerToTempo(home, 'c', { controlPlane: edge, tempo: { service: 'tempo', namespace: 'tracing' } });
  // @ts-expect-error values of a chart that the release does not have
  new JaegerToTempo(home, 'd', { controlPlane: edge, tempo, values: { webhook: {} } });
  // @ts-expect-error two issuers of one certificate
  DashboardIngress.nginx({ host: 'a.example', tls: { issuer: 'a', clusterIssuer: 'b' } });
  // @ts-expect-error a Secret of another namespace, which Traefik does not read
  DashboardIngress.traefik({ host: 'a.example', basicAuthSecret: { namespace: 'a', name: 'b' } });
}

test('what the compiler cannot know is reported all the same', () => {
  expect(refusedByTheCompiler).toBeInstanceOf(Function);
  const home = cluster();
  const viz = new Viz(home, 'viz', {
    controlPlane: controlPlane(home, 'stable-2.14.10'),
    prometheus: Prometheus.embedded(),
    values: { createNamespaceMetadataJob: true } as object,
  });
  expect(problemsOf(viz)).toEqual([expect.stringContaining('createNamespaceMetadataJob')]);
});
