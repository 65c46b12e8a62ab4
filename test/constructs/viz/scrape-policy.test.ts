import { Testing } from 'cdk8s';
import { checkObject } from '#kubernetes/schemas/schema';
import { Prometheus, type ServiceAccountRef } from '#lib/constructs/viz/prometheus';
import { ScrapePolicy } from '#lib/constructs/viz/scrape-policy';
import { Viz } from '#lib/constructs/viz/viz';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { plainObjects } from '../../support/plain-app';
import { addControlPlane, build } from '../operator/fixture';
import type { Emitted } from './mesh-fixture';

const namespace = 'linkerd-viz';
const EXTERNAL = {
  external: [
    { kind: 'CustomResourceDefinition', name: 'podmonitors.monitoring.coreos.com' },
    { kind: 'Namespace', name: 'monitoring' },
  ],
} as const;

function policy(version: LinkerdVersion, scraper?: ServiceAccountRef): Record<string, Emitted> {
  const chart = Testing.chart();
  new ScrapePolicy(chart, 'scrape', { release: releaseOf(version), namespace, scraper });
  return Object.fromEntries(
    (plainObjects(chart) as Emitted[]).map((object) => [`${object.kind}/${object.metadata.name}`, object]),
  );
}

const objects = policy('edge-26.8.3');

test('the scrape policy for 2.14 has an older version of Server', () => {
  expect(policy('stable-2.14.10')['Server/proxy-admin']?.apiVersion).toBe('policy.linkerd.io/v1beta1');
});

test('Servers cover every port that PodMonitors scrape, and admit every probe', () => {
  const { objects: files, problems } = build((cluster) => {
    const controlPlane = addControlPlane(cluster, {
      controlPlane: { monitoring: { namespace: 'monitoring' }, values: { proxy: { defaultInboundPolicy: 'deny' } } },
    });
    new Viz(cluster, 'viz', {
      controlPlane,
      prometheus: Prometheus.fromUrl({ url: 'http://prometheus.monitoring:9090' }),
    });
  }, EXTERNAL);
  expect(problems).toEqual([]);
  const all = [...files.values()];
  const keep = files.get('monitoring/podmonitor.linkerd-controller').spec.podMetricsEndpoints[0].relabelings[0];
  const servers = all.filter(({ kind }) => kind === 'Server');
  const routes = all.filter(({ kind }) => kind === 'HTTPRoute');
  const deployments = all.filter(({ kind }) => kind === 'Deployment');
  expect(deployments).toHaveLength(7);
  const scraped: string[] = [];
  for (const { metadata, spec } of deployments) {
    const { metadata: pod, spec: podSpec } = spec.template;
    if (metadata.namespace === 'linkerd') {
      // The chart sets this annotation, regardless of values.
      expect(pod.annotations).toMatchObject({ 'config.linkerd.io/default-inbound-policy': 'all-unauthenticated' });
      continue;
    }
    for (const container of podSpec.containers) {
      for (const { name, containerPort } of container.ports ?? []) {
        if (!new RegExp(`^(?:${keep.regex})$`).test(name)) continue;
        scraped.push(metadata.name);
        const server = servers.find(
          ({ spec: { port, podSelector } }) =>
            port === containerPort && podSelector.matchLabels?.component === pod.labels.component,
        );
        expect([metadata.name, name, server?.metadata.name]).toEqual([metadata.name, name, `${metadata.name}-admin`]);
        const allowed = routes
          .filter(({ spec: { parentRefs } }) =>
            parentRefs.some((ref: { name: string }) => ref.name === server.metadata.name),
          )
          .flatMap(({ spec: { rules } }) =>
            rules[0].matches.map((match: { path: { value: string } }) => match.path.value),
          );
        const { livenessProbe, readinessProbe } = container;
        expect(allowed).toEqual(
          expect.arrayContaining(['/metrics', livenessProbe.httpGet.path, readinessProbe.httpGet.path]),
        );
      }
    }
  }
  expect(scraped.sort()).toEqual(['metrics-api', 'tap', 'tap-injector', 'web']);
});

test('a scraper with an identity is the only client, and probes stay open', () => {
  const scraper = { namespace: 'monitoring', name: 'prometheus' };
  const restricted = policy('edge-26.8.3', scraper);
  expect(restricted['AuthorizationPolicy/prometheus-scrape']?.spec).toMatchObject({
    requiredAuthenticationRefs: [{ kind: 'ServiceAccount', ...scraper }],
  });
  expect(restricted['AuthorizationPolicy/component-metrics']?.spec).toMatchObject({
    requiredAuthenticationRefs: [{ kind: 'ServiceAccount', ...scraper }],
  });
  expect(restricted['AuthorizationPolicy/proxy-probes']).toEqual(objects['AuthorizationPolicy/proxy-probes']);
  expect(Object.values(restricted).flatMap(checkObject)).toEqual([]);
});
