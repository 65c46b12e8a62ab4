import { generateKeyPairSync } from 'node:crypto';
import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { ensureNamespace, HelmRelease, Platform } from '#lib';
import { reviewValues } from '#lib/checks/cluster/review-values';
import type { ConstructTree } from '#lib/gitops/tree/read-tree';
import { synthesize } from '#lib/testing';

const CHARTS = { controlPlane: 'linkerd-control-plane', viz: 'linkerd-viz', cni: 'linkerd2-cni' } as const;

type Charts = Readonly<Partial<Record<keyof typeof CHARTS | 'prometheus', Values>>>;

interface Around {
  readonly version?: string;
  readonly objects?: readonly KubernetesObject[];
}

/** A tree of charts from files, without rules of constructs. */
function treeOf(charts: Charts, { version = '2026.8.3', objects = [] }: Around): ConstructTree {
  const chartOf = (key: string) => ({
    name: key === 'prometheus' ? 'kube-prometheus-stack' : CHARTS[key as keyof typeof CHARTS],
    version,
    repository: 'https://charts.example.com',
  });
  const releases = Object.entries(charts).map(([key, values]) => ({
    path: key,
    construct: 0,
    release: { chart: chartOf(key), namespace: 'linkerd', values },
  }));
  const placed = objects.map((object, construct) => ({ path: `${construct}`, construct, object, home: '' }));
  const tree = { releases, objects: placed, rendered: [], rules: [] };
  return tree as unknown as ConstructTree;
}

const found = (charts: Charts, around: Around = {}) =>
  reviewValues(treeOf(charts, around)).map(({ path, severity, problem: { code, cause = '' } }) => {
    return `${path}: ${severity} ${code}/${cause}`;
  });

const HA = {
  highAvailability: true,
  controllerReplicas: 3,
  enablePodAntiAffinity: true,
  enablePodDisruptionBudget: true,
  webhookFailurePolicy: 'Fail',
};
const overridden = (...causes: string[]) =>
  causes.map((cause) => `controlPlane: error high-availability-overridden/${cause}`);
const EXTERNAL = { prometheus: { enabled: false }, prometheusUrl: 'http://prometheus.monitoring:9090' };
const UNSCRAPED = 'viz: warning mesh-unscraped/values';
const privateKey = `${generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })}`;
const object = (kind: string, content: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'any' },
  ...content,
});

test.each<[string, Charts, readonly string[], Around?]>([
  ['defaults', { controlPlane: {}, viz: {}, cni: {} }, []],
  ['all values of high availability', { controlPlane: HA }, []],
  [
    'highAvailability: true alone',
    { controlPlane: { highAvailability: true } },
    overridden('replicas', 'spread', 'disruption-budget', 'failure-policy'),
  ],
  ['high availability with one replica', { controlPlane: { ...HA, controllerReplicas: 1 } }, overridden('replicas')],
  [
    'high availability of an unknown release',
    { controlPlane: { highAvailability: true, controllerReplicas: 1 } },
    overridden('replicas'),
    { version: '2031.1.1' },
  ],
  ['one replica', { controlPlane: { controllerReplicas: 1, highAvailability: false } }, []],
  ['no Prometheus', { viz: { prometheus: { enabled: false } } }, ['viz: error prometheus-missing/']],
  ['no Prometheus', { viz: { prometheus: { enabled: false }, prometheusUrl: '' } }, ['viz: error prometheus-missing/']],
  ['an external Prometheus that scrapes nothing', { viz: EXTERNAL }, [UNSCRAPED]],
  ['an external Prometheus and PodMonitors', { viz: EXTERNAL, controlPlane: { podMonitor: { enabled: true } } }, []],
  [
    'an external Prometheus with jobs in its values',
    {
      viz: EXTERNAL,
      prometheus: { prometheus: { prometheusSpec: { additionalScrapeConfigs: [{ job_name: 'linkerd-proxy' }] } } },
    },
    [],
  ],
  [
    'an external Prometheus with a PodMonitor',
    { viz: EXTERNAL },
    [],
    { objects: [object('PodMonitor', { spec: { podMetricsEndpoints: [{ port: 'linkerd-admin' }] } })] },
  ],
  ['a missing CNI plugin', { controlPlane: { cniEnabled: true } }, ['controlPlane: error cni-mismatch/absent']],
  ['the CNI plugin', { controlPlane: { cniEnabled: true }, cni: {} }, []],
  [
    'the CNI plugin as an object',
    { controlPlane: { cniEnabled: true } },
    [],
    { objects: [{ ...object('DaemonSet', {}), metadata: { name: 'linkerd-cni' } }] },
  ],
  [
    'tracing without a collector',
    { controlPlane: { proxy: { tracing: { enabled: true } } } },
    [
      'controlPlane: error injected-value-missing/trace-collector',
      'controlPlane: error injected-value-missing/trace-identity',
    ],
  ],
  [
    'tracing of components without a collector',
    { controlPlane: { controller: { tracing: { enabled: true } } } },
    ['controlPlane: error injected-value-missing/trace-collector'],
  ],
  [
    'a value out of range',
    { controlPlane: { proxy: { waitBeforeExitSeconds: -1, nativeSidecar: false } } },
    ['controlPlane: error injected-value-refused/range'],
  ],
  [
    'a private key',
    { controlPlane: { identity: { issuer: { tls: { keyPEM: privateKey } } } } },
    ['controlPlane: error private-key-found/values'],
  ],
  ['a key of another chart', { prometheus: { tls: [privateKey] } }, ['prometheus: error private-key-found/values']],
  [
    'nulls',
    { controlPlane: { highAvailability: null, proxyInjector: null }, viz: { prometheus: null, prometheusUrl: null } },
    [],
  ],
])('reviewValues is right about %s', (_, charts, expected, around = {}) =>
  expect(found(charts, around)).toEqual(expected),
);

test('reviewValues does not repeat findings about the chart of a construct', () => {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
  platform.addCluster('home', {}, (home) => {
    ensureNamespace(home, 'linkerd');
    const pinned = { repository: 'https://helm.linkerd.io/edge', kinds: [], foreignNamespaces: [] };
    new HelmRelease(home, 'linkerd', {
      chart: { name: 'linkerd-control-plane', version: '2026.8.3', ...pinned },
      delivery: 'helm',
      namespace: 'linkerd',
      values: { ...HA, webhookFailurePolicy: 'Ignore', key: privateKey },
    });
  });
  const findings = synthesize(platform).cluster('home').findings();
  expect(findings.map(({ path, alsoAt, problem: { code } }) => [path, alsoAt, code])).toEqual([
    ['home/linkerd', undefined, 'private-key-found'],
    ['home/linkerd', undefined, 'high-availability-overridden'],
  ]);
});
