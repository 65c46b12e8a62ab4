import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorRbac, operatorRules } from '#lib/constructs/operator/operator-rbac';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { RbacRule } from '#operator/api/rbac/rule';
import type { Webhook } from '#operator/api/webhooks/webhook';
import { issueCertificate, type KeyPair } from '../cluster/certificates';
import type { Cluster } from '../cluster/cluster';
import { writeKubeconfig } from '../cluster/kubeconfig';
import { type KubeObject, ref } from '../cluster/objects';
import { startWatchdog } from '../cluster/processes';
import { runDirectory } from '../cluster/run-directory';
import { configDefinition } from './config-definition';
import { type OperatorProcess, type StartedWhen, startOperatorProcess } from './operator-process';

/** Options of an operator under test. */
export interface OperatorSettings {
  /** The release of the control plane, whose values a LinkerdConfig has. @default - the newest */
  readonly release?: LinkerdVersion;
  /** Namespace of the control plane. @default - a new one */
  readonly linkerdNamespace?: string;
  /** Namespace of the CNI plugin. @default - a new one */
  readonly cniNamespace?: string;
  /** Namespaces that it is limited to, besides that of the control plane. @default - all namespaces */
  readonly workloads?: readonly string[];
  /** Namespace of cert-manager, where the operator manages the trust anchor. @default - it manages none */
  readonly certManagerNamespace?: string;
  /** @default true */
  readonly multus?: boolean;
  /** Whether it serves the webhooks. @default false */
  readonly webhooks?: boolean;
  /** The permissions of the operator. @default - those that ReconcilerOperator emits */
  readonly rules?: readonly RbacRule[];
  /** The address by which it connects to the API server. @default - the API server's own */
  readonly server?: string;
  /** Further flags of `run`. */
  readonly args?: readonly string[];
  /** All environment variables of its process. @default - none */
  readonly env?: Readonly<Record<string, string>>;
}

/** An operator's namespaces, permissions and certificates, with which replicas are started. */
export interface OperatorInstallation {
  /** The operator's own namespace, which contains its Lease. */
  readonly namespace: string;
  readonly linkerdNamespace: string;
  readonly cniNamespace: string;
  /** The operator's user in audit events. */
  readonly user: string;
  /** The folder with the webhooks' tls.crt and tls.key. */
  readonly certificateDir: string;
  /** The CA of the webhooks' certificate. */
  readonly ca: KeyPair;
  /**
   * Starts a replica, and waits until it is ready, or with `alive` until it answers probes.
   * @param command see {@link startOperatorProcess}
   */
  start(args?: readonly string[], until?: StartedWhen, command?: readonly string[]): Promise<OperatorProcess>;
  /** Applies roles with these rules. Roles that it applied before and that are not among them stay. */
  permit(rules: readonly RbacRule[]): Promise<void>;
}

/** The address by which API servers of tests connect to webhooks. */
const HOST = '127.0.0.1';

/** Installs an operator, and starts a replica. */
export async function startOperator(
  cluster: Cluster,
  settings: OperatorSettings = {},
): Promise<OperatorInstallation & OperatorProcess> {
  const installation = await installOperator(cluster, settings);
  return { ...installation, ...(await installation.start()) };
}

/** Prepares a cluster for the operator: CRD, namespaces, and a ServiceAccount with only the emitted permissions. */
export async function installOperator(
  cluster: Cluster,
  settings: OperatorSettings = {},
): Promise<OperatorInstallation> {
  const { multus = true, webhooks = false, certManagerNamespace: certManager, args = [], env, workloads } = settings;
  const { rules = operatorRules(multus, certManager !== undefined) } = settings;
  const namespace = await cluster.namespace('operator');
  const linkerdNamespace = settings.linkerdNamespace ?? (await cluster.namespace('linkerd'));
  const cniNamespace = settings.cniNamespace ?? (await cluster.namespace('cni'));
  await cluster.apply(configDefinition(settings.release));
  const given = new Map<string, string>();
  const permit = async (permitted: readonly RbacRule[]): Promise<void> => {
    const places = { operator: namespace, controlPlane: linkerdNamespace, cni: cniNamespace, certManager, workloads };
    const missing: (string | undefined)[] = [];
    for (const name of workloads ?? []) {
      if ((await cluster.find(ref('v1', 'Namespace', name))) === undefined) missing.push(name);
    }
    for (const object of rbacOf(permitted, places)) {
      const { namespace: place = '', name } = object.metadata;
      const [key, text] = [`${object.kind}/${place}/${name}`, JSON.stringify(object)];
      if (missing.includes(place) || given.get(key) === text) continue;
      await cluster.apply(object);
      given.set(key, text);
    }
  };
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'linkerd-reconciler', namespace },
  });
  await permit(rules);
  const token = await cluster.serviceAccountToken(namespace, 'linkerd-reconciler');

  const dir = join(runDirectory(), `operator-${randomBytes(4).toString('hex')}`);
  mkdirSync(dir);
  startWatchdog(dir);
  const { certificateDir, ca } = writeCertificate(dir);
  const flags = [
    `--kubeconfig=${writeOperatorKubeconfig(dir, cluster, { token, server: settings.server ?? cluster.server })}`,
    `--leader-elect-namespace=${namespace}`,
    `--linkerd-namespace=${linkerdNamespace}`,
    `--cni-namespace=${cniNamespace}`,
    ...['--health-port=0', '--metrics-port=0', '--webhook-port=0', `--webhook-cert-dir=${certificateDir}`],
    ...(workloads === undefined ? [] : [`--workload-namespaces=${workloads.join(',')}`]),
    ...(certManager === undefined ? [] : ['--trust-anchor', `--cert-manager-namespace=${certManager}`]),
    ...(multus ? [] : ['--no-multus']),
    ...(webhooks ? [] : ['--no-enable-webhooks']),
    ...args,
  ];
  return {
    namespace,
    linkerdNamespace,
    cniNamespace,
    user: `system:serviceaccount:${namespace}:linkerd-reconciler`,
    certificateDir,
    ca,
    start: (more = [], until = 'ready', command = undefined) =>
      startOperatorProcess(dir, { args: [...flags, ...more], env, until, command }),
    permit,
  };
}

/** The emitted roles. The names of cluster-wide ones get a suffix that is unique to this installation. */
function rbacOf(rules: readonly RbacRule[], places: Parameters<typeof operatorRbac>[1]): KubeObject[] {
  const objects = operatorRbac(rules, places) as unknown as readonly KubeObject[];
  return objects.map((object) => {
    const { metadata, roleRef } = object;
    if (metadata.namespace !== undefined) return object;
    const name = `${metadata.name}-${places.operator}`;
    return { ...object, metadata: { ...metadata, name }, ...(roleRef && { roleRef: { ...roleRef, name } }) };
  });
}

function writeOperatorKubeconfig(
  dir: string,
  { caData }: Cluster,
  { token, server }: { readonly token: string; readonly server: string },
): string {
  const path = join(dir, 'kubeconfig');
  writeKubeconfig(path, { server, ca: Buffer.from(caData, 'base64').toString(), identity: { token } });
  return path;
}

function writeCertificate(dir: string): Pick<OperatorInstallation, 'certificateDir' | 'ca'> {
  const certificateDir = join(dir, 'certificate');
  mkdirSync(certificateDir);
  const ca = issueCertificate({ commonName: 'webhook CA', ca: true });
  const { cert, key } = issueCertificate({ commonName: 'webhooks', issuer: ca, ips: [HOST], dnsNames: ['localhost'] });
  writeFileSync(join(certificateDir, 'tls.crt'), cert);
  writeFileSync(join(certificateDir, 'tls.key'), key);
  return { certificateDir, ca };
}

/** Configurations of a replica's webhooks. They keep their names, which determine the order of calls. */
export function webhookConfigurations(
  webhooks: readonly Webhook[],
  { ca, webhookPort }: Pick<OperatorInstallation & OperatorProcess, 'ca' | 'webhookPort'>,
): KubeObject[] {
  const byConfiguration = Map.groupBy(webhooks, ({ kind, configuration }) => `${kind}/${configuration}`);
  return [...byConfiguration.values()].map((entries) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: entries[0]?.kind === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name: entries[0]?.configuration ?? '' },
    webhooks: entries.map(({ configuration: _, kind: _kind, path, ...entry }) => ({
      ...entry,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: `https://${HOST}:${webhookPort}${path}`, caBundle: Buffer.from(ca.cert).toString('base64') },
    })),
  }));
}
