import type { Values } from '#base/values';
import { migrate } from '#lib/cli/migrate/migrate';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import type { ChartName } from '#linkerd/renderers/chart-names';
import { fixture } from '../../constructs/pki/mesh';

/** Values of a user, like the output of `helm get values`. */
export interface Example {
  readonly name: string;
  readonly chart: ChartName;
  readonly version: LinkerdVersion;
  readonly values: Values;
  readonly namespace?: string;
  /** For values without an anchor. */
  readonly newAnchor?: boolean;
  /** Values that the chart does not get, since they are unknown or set by the PKI. */
  readonly leftOut?: readonly string[];
}

const EDGE = 'edge-26.8.3';
const STABLE = 'stable-2.14.10';

const AVAILABLE: Values = {
  highAvailability: true,
  controllerReplicas: 3,
  enablePodAntiAffinity: true,
  enablePodDisruptionBudget: true,
  webhookFailurePolicy: 'Fail',
};

/** Values of all charts and releases, with all values that become props, and others. */
export const EXAMPLES: readonly Example[] = [
  { name: 'nothing', chart: 'linkerd-control-plane', version: EDGE, newAnchor: true, values: {} },
  {
    name: 'everything',
    chart: 'linkerd-control-plane',
    version: EDGE,
    namespace: 'mesh',
    values: {
      ...AVAILABLE,
      clusterDomain: 'k8s.example',
      identityTrustDomain: 'mesh.example',
      cniEnabled: true,
      heartbeatSchedule: '5 4 * * 1-5',
      identity: {
        externalCA: true,
        issuer: { scheme: 'kubernetes.io/tls', issuanceLifetime: '12h30m', clockSkewAllowance: '1m0s' },
      },
      proxyInjector: { externalSecret: true, caBundle: 'x', timeoutSeconds: 20 },
      profileValidator: { externalSecret: true, injectCaFrom: 'linkerd/x' },
      policyValidator: { externalSecret: true, injectCaFromSecret: 'linkerd/x' },
      proxy: { logLevel: 'warn,linkerd=debug', resources: { cpu: { request: '50m' } }, cores: 2 },
      nodeSelector: { 'kubernetes.io/os': null, 'example.com/pool': 'mesh' },
      podAnnotations: { 'example.com/text': 'it\'s "two"\nlines' },
    },
  },
  {
    name: 'anchor',
    chart: 'linkerd-control-plane',
    version: EDGE,
    leftOut: ['identityTrustAnchorsPEM', 'controllerReplica', 'odd\u2028key'],
    values: {
      identityTrustAnchorsPEM: fixture('anchor'),
      imagePullSecrets: [{ name: 'registry' }],
      controllerReplica: 3,
      'odd\u2028key': { text: 'a\n"b"' },
    },
  },
  {
    name: 'stable',
    chart: 'linkerd-control-plane',
    version: STABLE,
    newAnchor: true,
    values: { ...AVAILABLE, cniEnabled: true, disableHeartBeat: true },
  },
  {
    name: 'viz',
    chart: 'linkerd-viz',
    version: EDGE,
    values: { prometheus: { args: { 'storage.tsdb.retention.time': '12h' } } },
  },
  {
    name: 'viz-external',
    chart: 'linkerd-viz',
    version: EDGE,
    values: {
      clusterDomain: 'k8s.example',
      linkerdNamespace: 'mesh',
      prometheus: { enabled: false },
      prometheusUrl: 'http://prometheus.monitoring:9090',
      prometheusCredsSecret: 'prometheus',
      grafana: { externalUrl: 'https://grafana.example.com/', uidPrefix: 'home-' },
      dashboard: { enforcedHostRegexp: '^linkerd\\.example\\.com$', replicas: 2 },
      enablePodAntiAffinity: true,
      enablePodDisruptionBudget: true,
      tap: { replicas: 3, externalSecret: true, injectCaFrom: 'linkerd-viz/tap' },
    },
  },
  { name: 'viz-stable', chart: 'linkerd-viz', version: STABLE, values: { grafana: { url: 'grafana.grafana:3000' } } },
  { name: 'cni', chart: 'linkerd2-cni', version: EDGE, values: {} },
  {
    name: 'cni-stable',
    chart: 'linkerd2-cni',
    version: STABLE,
    namespace: 'kube-cni',
    values: { destCNINetDir: '/var/lib/rancher/k3s/agent/etc/cni/net.d', tolerations: [] },
  },
];

/** The program for values without an anchor, and without --new-anchor. */
const NO_ANCHOR = migrate({ chart: 'linkerd-control-plane', release: releaseOf(EDGE), values: {} });

/** The programs of `migrate` for these examples, by name. */
export const PROGRAMS = [
  ...EXAMPLES.map((example) => [example.name, migrate({ ...example, release: releaseOf(example.version) })] as const),
  ['no-anchor', NO_ANCHOR] as const,
].map(([name, made]) => [name, 'program' in made ? made.program : JSON.stringify(made.problems)] as const);
