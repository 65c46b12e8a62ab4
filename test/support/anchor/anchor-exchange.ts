import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { exchangeRules, REPORT_RULES } from '#operator/api/rbac/exchange';
import type { RbacRule } from '#operator/api/rbac/rule';
import type { Cluster } from '../cluster/cluster';
import { writeKubeconfig } from '../cluster/kubeconfig';
import { type KubeObject, ref } from '../cluster/objects';
import { startWatchdog } from '../cluster/processes';
import { runDirectory } from '../cluster/run-directory';
import { type OperatorProcess, startOperatorProcess } from '../operator/operator-process';

/** A cluster, and its name in the spec of its TrustAnchor. */
export interface NamedCluster {
  readonly name: string;
  readonly cluster: Cluster;
}

/** The operator's `exchange`, which copies the report of one cluster into another cluster. */
export interface AnchorExchange {
  /** The users in audit events: the account that writes `here`, and the account that reads `there`. */
  readonly users: readonly [here: string, there: string];
  /** Starts the process, and waits until it answers probes. */
  start(): Promise<OperatorProcess>;
}

const NAMESPACE = 'linkerd-multicluster';

/** Creates an account in each of the two clusters, with only the permissions that the constructs emit. */
export async function installExchange(here: NamedCluster, there: NamedCluster): Promise<AnchorExchange> {
  const dir = join(runDirectory(), `exchange-${randomBytes(4).toString('hex')}`);
  mkdirSync(dir);
  startWatchdog(dir);
  const [own, remote] = [`exchange-${there.name}`, `for-${here.name}`];
  const kubeconfig = await account(here.cluster, own, exchangeRules(there.name), join(dir, 'here'));
  const member = await account(there.cluster, remote, REPORT_RULES, join(dir, 'there'));
  const args = [
    `--kubeconfig=${kubeconfig}`,
    `--member-kubeconfig=${member}`,
    `--cluster=${here.name}`,
    `--member=${there.name}`,
    '--interval=500ms',
    '--health-port=0',
  ];
  const user = (name: string): string => `system:serviceaccount:${NAMESPACE}:${name}`;
  return {
    users: [user(own), user(remote)],
    start: () => startOperatorProcess(dir, { args, until: 'alive', subcommand: 'exchange' }),
  };
}

async function account(cluster: Cluster, name: string, rules: readonly RbacRule[], path: string): Promise<string> {
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  const role = { ...ref('rbac.authorization.k8s.io/v1', 'Role', name, 'cert-manager') };
  const objects: readonly KubeObject[] = [
    { ...ref('v1', 'ServiceAccount', name, NAMESPACE) },
    {
      ...role,
      rules: rules.map(({ apiGroups, resources, resourceNames, verbs }) => ({
        apiGroups,
        resources,
        resourceNames,
        verbs,
      })),
    },
    {
      ...role,
      kind: 'RoleBinding',
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: NAMESPACE }],
    },
  ];
  await cluster.applyAll(objects);
  const token = await cluster.serviceAccountToken(NAMESPACE, name);
  const ca = Buffer.from(cluster.caData, 'base64').toString();
  writeKubeconfig(path, { server: cluster.server, ca, identity: { token } });
  return path;
}
