import { join } from 'node:path';

/** The programs of a control plane, in the order in which they start. */
export const PROGRAMS = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kwok'] as const;
export type Program = (typeof PROGRAMS)[number];

/** The ports on which the programs of one control plane listen, on 127.0.0.1. */
export interface Ports {
  readonly apiServer: number;
  readonly etcdClient: number;
  readonly etcdPeer: number;
}

/** Options of a control plane. */
export interface ControlPlaneOptions {
  /**
   * The network of pods: the address of the first pod, and the prefix length. If it is in 127.0.0.0/8, a test can
   * listen on its pods' addresses. @default '10.244.0.0/16', to which a test cannot connect
   */
  readonly podCidr?: string | undefined;
}

/** The command line of a program. Flags that are not set keep their defaults for production. */
export function flags(program: Program, dir: string, ports: Ports, options: ControlPlaneOptions = {}): string[] {
  const lines = { ...FLAGS[program](dir, ports), ...(program === 'kwok' && networkOf(options)) };
  return Object.entries(lines).map(([flag, value]) => `--${flag}=${value}`);
}

function networkOf({ podCidr = '10.244.0.0/16' }: ControlPlaneOptions): Flags {
  return { cidr: podCidr };
}

/**
 * The controllers that act on objects of tests. The others, such as those of volumes and certificate requests, watch
 * and poll the API server. They would take a quarter of the CPU time of an idle control plane.
 */
const CONTROLLERS = [
  ...[
    'namespace',
    'serviceaccount',
    'serviceaccount-token',
    'root-ca-certificate-publisher',
    'clusterrole-aggregation',
  ],
  ...['garbage-collector', 'pod-garbage-collector', 'resourcequota', 'disruption', 'validatingadmissionpolicy-status'],
  ...['deployment', 'replicaset', 'statefulset', 'daemonset', 'job', 'cronjob', 'ttl-after-finished'],
  ...['endpoints', 'endpointslice', 'node-lifecycle', 'taint-eviction'],
].map((name) => `${name}-controller`);

type Flags = Readonly<Record<string, string | number | boolean>>;

const FLAGS: Readonly<Record<Program, (dir: string, ports: Ports) => Flags>> = {
  etcd: (dir, ports) => ({
    'data-dir': join(dir, 'etcd'),
    // The data is temporary, so it need not survive a power failure.
    'unsafe-no-fsync': true,
    'listen-client-urls': `http://127.0.0.1:${ports.etcdClient}`,
    'advertise-client-urls': `http://127.0.0.1:${ports.etcdClient}`,
    'listen-peer-urls': `http://127.0.0.1:${ports.etcdPeer}`,
    'initial-advertise-peer-urls': `http://127.0.0.1:${ports.etcdPeer}`,
    'initial-cluster': `default=http://127.0.0.1:${ports.etcdPeer}`,
    // The only member needs no election, and no heartbeat ten times a second.
    'heartbeat-interval': 500,
    'election-timeout': 5000,
    'log-level': 'warn',
  }),

  'kube-apiserver': (dir, ports) => ({
    'etcd-servers': `http://127.0.0.1:${ports.etcdClient}`,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': ports.apiServer,
    // The Service "kubernetes" would get an address of the loopback network, which no EndpointSlice may have.
    'endpoint-reconciler-type': 'none',
    'tls-cert-file': join(dir, 'apiserver.crt'),
    'tls-private-key-file': join(dir, 'apiserver.key'),
    'client-ca-file': join(dir, 'ca.crt'),
    'token-auth-file': join(dir, 'tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': join(dir, 'service-account.pub'),
    'service-account-signing-key-file': join(dir, 'service-account.key'),
    'service-cluster-ip-range': '10.0.0.0/16',
    'allow-privileged': true,
    'audit-policy-file': join(dir, 'audit-policy.json'),
    'audit-log-path': join(dir, 'audit.log'),
    profiling: false,
  }),

  'kube-controller-manager': (dir) => ({
    ...client(dir, 'kube-controller-manager'),
    'root-ca-file': join(dir, 'ca.crt'),
    'service-account-private-key-file': join(dir, 'service-account.key'),
    'use-service-account-credentials': true,
    // On a busy machine, kwok or a restart of the API server can take longer than the default of 50 s. Pods of a lost
    // node would then stay unready, because kwok does not make them ready again.
    'node-monitor-grace-period': '1h',
    controllers: CONTROLLERS.join(','),
  }),

  'kube-scheduler': (dir) => client(dir, 'kube-scheduler'),

  kwok: (dir) => ({
    kubeconfig: join(dir, 'kwok.kubeconfig'),
    config: join(dir, 'kwok-stages.yaml'),
    'manage-all-nodes': true,
    'node-ip': '127.0.0.1',
    'node-lease-duration-seconds': 40,
  }),
};

/** Flags of the controller manager and the scheduler, which have no other replica and whose metrics are not read. */
function client(dir: string, program: Program): Flags {
  return {
    kubeconfig: join(dir, `${program}.kubeconfig`),
    'leader-elect': false,
    'secure-port': 0,
    profiling: false,
    // The default of 20 requests a second makes a start three seconds slower.
    'kube-api-qps': 1000,
    'kube-api-burst': 2000,
  };
}
