import { COMMON_FLAGS } from './flags/common-flags';
import { flag } from './flags/flag';
import type { FlagValues } from './flags/read-flags';

/** Flags of `run`. Durations are in milliseconds here. */
export const RUN_FLAGS = {
  ...COMMON_FLAGS,
  leaderElect: flag.boolean({ description: 'run the controllers on one replica at a time', default: false }),
  leaderElectNamespace: flag.namespace({
    description: 'namespace of the lease (default: the namespace of the pod)',
    default: undefined,
  }),
  leaderElectLeaseDuration: flag.durationMs({
    description: 'how long other replicas wait for a leader that does not renew its lease',
    default: 15_000,
  }),
  leaderElectRenewDeadline: flag.durationMs({
    description: 'how long the leader tries to renew its lease before it gives up',
    default: 10_000,
  }),
  leaderElectRetryPeriod: flag.durationMs({ description: 'time between attempts at the lease', default: 2_000 }),
  enableWebhooks: flag.boolean({ description: 'serve the admission webhooks', default: true }),
  webhookPort: flag.port({ description: 'port of the admission webhooks, 0 for any', default: 9443 }),
  webhookCertDir: flag.text({
    description: 'folder of tls.crt and tls.key of the admission webhooks',
    default: undefined,
  }),
  webhookClientCa: flag.text({
    description: "PEM file with the CA of API servers' client certificates; the webhooks then answer only such clients",
    default: undefined,
  }),
  metricsPort: flag.port({ description: 'port of /metrics, 0 for any', default: 8080 }),
  healthPort: flag.port({ description: 'port of /healthz and /readyz, 0 for any', default: 8081 }),
  linkerdNamespace: flag.namespace({ description: 'namespace of the control plane', default: 'linkerd' }),
  workloadNamespaces: flag.list({
    description: "namespaces to manage in addition to the control plane's (default: all)",
    default: [],
  }),
  installerFieldManagers: flag.list({
    description: 'field managers whose writes count as an installation, not as drift',
    default: ['argocd-controller', 'helm', 'linkerd'],
  }),
  trustAnchor: flag.boolean({
    description: "maintain and rotate the mesh's trust anchor, as its TrustAnchor specifies",
    default: false,
  }),
  certManagerNamespace: flag.namespace({ description: 'namespace of cert-manager', default: 'cert-manager' }),
  multus: flag.boolean({ description: 'attach pods to the linkerd-cni network by Multus', default: true }),
  cniNamespace: flag.namespace({ description: 'namespace of the CNI plugin', default: 'linkerd-cni' }),
  cniKubeconfig: flag.text({
    description: "path of the CNI plugin's kubeconfig on the nodes (default: the path in its ConfigMap)",
    default: undefined,
  }),
  linkerdProxyUidOffset: flag.count({
    description: "offset of the proxy's user ID from the first one of the namespace's range",
    default: 2102,
  }),
  namespaceUidRangeAnnotation: flag.text({
    description: 'namespace annotation with the range of user IDs',
    default: 'openshift.io/sa.scc.uid-range',
  }),
};

/** The values of {@link RUN_FLAGS}. */
export type RunOptions = FlagValues<typeof RUN_FLAGS>;

/** Checks options that are valid individually. */
export function checkRunOptions(options: RunOptions): readonly string[] {
  return [...checkPorts(options), ...checkWebhooks(options), ...checkElection(options), ...checkTrustAnchor(options)];
}

function checkWebhooks({ enableWebhooks, webhookCertDir }: RunOptions): readonly string[] {
  if (!enableWebhooks || webhookCertDir !== undefined) return [];
  return ['--webhook-cert-dir: needed for the webhooks, which --no-enable-webhooks turns off'];
}

/** An anchor may be retired when all pods trust the next one, so the operator must observe all pods. */
function checkTrustAnchor({ trustAnchor, workloadNamespaces }: RunOptions): readonly string[] {
  if (!trustAnchor || workloadNamespaces.length === 0) return [];
  return ['--trust-anchor: needs all namespaces, but --workload-namespaces limits them'];
}

function checkPorts({ enableWebhooks, webhookPort, metricsPort, healthPort }: RunOptions): readonly string[] {
  const ports = {
    '--metrics-port': metricsPort,
    '--health-port': healthPort,
    ...(enableWebhooks && { '--webhook-port': webhookPort }),
  };
  const flagsOfPort = Map.groupBy(Object.entries(ports), ([, port]) => port);
  return [...flagsOfPort].flatMap(([port, entries]) =>
    port !== 0 && entries.length > 1 ? [`${entries.map(([name]) => name).join(', ')}: the same port, ${port}`] : [],
  );
}

function checkElection(options: RunOptions): readonly string[] {
  if (!options.leaderElect) return [];
  const {
    leaderElectLeaseDuration: lease,
    leaderElectRenewDeadline: deadline,
    leaderElectRetryPeriod: retry,
  } = options;
  return [
    ...(lease > deadline ? [] : ['--leader-elect-lease-duration: must be longer than --leader-elect-renew-deadline']),
    ...(deadline > retry ? [] : ['--leader-elect-renew-deadline: must be longer than --leader-elect-retry-period']),
    ...(retry > 0 ? [] : ['--leader-elect-retry-period: must be longer than 0']),
    // The Lease has only whole seconds.
    ...(lease % 1000 === 0 ? [] : ['--leader-elect-lease-duration: must be whole seconds']),
  ];
}
