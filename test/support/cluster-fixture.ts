import { Construct } from 'constructs';
import { HelmRelease, type HelmReleaseProps } from '#lib/gitops/charts/helm-release';
import { setHomeNamespace } from '#lib/gitops/tree/home-namespace';
import { manifest } from '#lib/gitops/tree/manifest';
import { ensureNamespace } from '#lib/gitops/tree/namespace';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';

/** A component with its namespace. */
export function component(scope: Construct, id: string, namespace = id): Construct {
  const made = new Construct(scope, id);
  setHomeNamespace(made, namespace);
  ensureNamespace(made, namespace);
  return made;
}

/** A ConfigMap. */
export function configMap(scope: Construct, name: string, namespace: string, data: Record<string, string> = {}) {
  return manifest(scope, `config-map-${name}`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data,
  });
}

/** A Deployment whose pods mount a Secret. */
export function deployment(
  scope: Construct,
  name: string,
  { namespace, secret }: { namespace: string; secret: string },
) {
  const labels = { app: name };
  return manifest(scope, `deployment-${name}`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name, image: `${name}:1` }],
          volumes: [{ name: 'secret', secret: { secretName: secret } }],
        },
      },
    },
  });
}

/** A chart without a schema in `imports/`. */
export function pinnedChart(name: string, version = '1.2.3'): PinnedChart {
  const repository = `https://charts.example.com/${name}`;
  return { name, version, repository, valuesOf: version, kinds: ['apps/Deployment'], foreignNamespaces: [] };
}

/** A release of a chart without a schema in `imports/`. */
export function release(scope: Construct, name: string, namespace: string, props: Partial<HelmReleaseProps> = {}) {
  return new HelmRelease(scope, name, { chart: pinnedChart(name), namespace, fromProps: {}, ...props });
}
