import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeCertManager, startFakeCertManager } from '../anchor/fake-cert-manager';
import { type FakeIdentity, startFakeIdentity } from '../anchor/fake-identity';
import { type FakeInjector, startFakeInjector } from '../anchor/fake-injector';
import { startFakeTrustManager } from '../anchor/fake-trust-manager';
import { type FakeProxies, startFakeProxies } from '../anchor/proxies';
import { issueCertificate } from '../cluster/certificates';
import type { OwnCluster } from '../cluster/cluster';
import { customResourceDefinition, customResourceDefinitions } from '../cluster/crds';
import { writeKubeconfig } from '../cluster/kubeconfig';
import { type KubeObject, type Reference, ref } from '../cluster/objects';
import { freePorts, startWatchdog } from '../cluster/processes';
import { runDirectory } from '../cluster/run-directory';
import { type OperatorProcess, startOperatorProcess } from '../operator/operator-process';

/** The namespace and the name of the operator's Deployment, ServiceAccount and so on. */
const OPERATOR = 'linkerd-reconciler';

/** Fakes of the controllers of a mesh, for a cluster in which no container runs, and the real operator. */
export interface MeshPlayers {
  readonly certManager: FakeCertManager;
  readonly identity: FakeIdentity;
  readonly proxies: FakeProxies;
  /** The objects that replace the dependencies of umbrella charts, by name of the chart. */
  readonly charts: Readonly<Record<string, readonly KubeObject[]>>;
  /** Changes the operator's webhooks to the address of its process, and drops other webhook configurations. */
  adapted(object: KubeObject): KubeObject | undefined;
  /** Waits for the proxy injector's Deployment, and starts a fake injector. */
  injector(): Promise<FakeInjector>;
  /** Waits for the operator's Deployment, and runs its command line with its ServiceAccount's permissions. */
  operator(): Promise<OperatorProcess>;
  /** The operator's log lines of a level. */
  logged(level: string): readonly string[];
  stop(): Promise<void>;
}

/** Starts all fakes except the injector. The injector and the operator wait for their Deployments. */
export async function startMeshPlayers(cluster: OwnCluster): Promise<MeshPlayers> {
  // Admission policies allow only cert-manager's account to write roots of the mesh.
  const groups = ['system:masters', 'system:serviceaccounts:cert-manager'];
  const certManager = startFakeCertManager(
    cluster.as({ user: 'system:serviceaccount:cert-manager:cert-manager', groups }),
  );
  const trustManager = startFakeTrustManager(cluster);
  const identity = startFakeIdentity(cluster);
  const proxies = startFakeProxies(cluster, identity);
  const [webhookPort = 0] = await freePorts(1);
  const ca = issueCertificate({ commonName: 'webhook CA', ca: true });
  let injector: FakeInjector | undefined;
  let operator: OperatorProcess | undefined;
  const ending = new AbortController();
  return {
    certManager,
    identity,
    proxies,
    charts: CHARTS,
    adapted: (object) => adapted(object, { webhookPort, ca: ca.cert }),
    injector: async () => {
      await available(cluster, ref('apps/v1', 'Deployment', 'linkerd-proxy-injector', 'linkerd'), ending.signal);
      injector = await startFakeInjector(cluster);
      return injector;
    },
    operator: async () => {
      const deployment = await available(cluster, ref('apps/v1', 'Deployment', OPERATOR, OPERATOR), ending.signal);
      const dir = join(runDirectory(), `operator-${process.pid}`);
      mkdirSync(dir);
      startWatchdog(dir);
      const serving = issueCertificate({ commonName: 'webhooks', issuer: ca, ips: ['127.0.0.1'] });
      writeFileSync(join(dir, 'tls.crt'), serving.cert);
      writeFileSync(join(dir, 'tls.key'), serving.key);
      const kubeconfig = join(dir, 'kubeconfig');
      const token = await cluster.serviceAccountToken(OPERATOR, OPERATOR);
      const authority = Buffer.from(cluster.caData, 'base64').toString();
      writeKubeconfig(kubeconfig, { server: cluster.server, ca: authority, identity: { token } });
      const [, ...args]: readonly string[] = deployment.spec.template.spec.containers[0].args;
      operator = await startOperatorProcess(dir, {
        args: [
          ...args,
          `--kubeconfig=${kubeconfig}`,
          `--leader-elect-namespace=${OPERATOR}`,
          `--webhook-cert-dir=${dir}`,
          `--webhook-port=${webhookPort}`,
          ...['--health-port=0', '--metrics-port=0'],
        ],
      });
      return operator;
    },
    logged: (level) =>
      operator
        ?.logs()
        .filter((line) => line.level === level)
        .map((line) => JSON.stringify(line)) ?? [],
    stop: async () => {
      ending.abort();
      await operator?.kill('SIGKILL');
      await injector?.stop();
      const ends = [proxies, identity, trustManager, certManager].map((player) => player.stop());
      const failed = (await Promise.allSettled(ends)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
  };
}

export const CHARTS = {
  'cert-manager': ['Certificate', 'CertificateRequest', 'Issuer', 'ClusterIssuer'].map((kind) =>
    customResourceDefinition('cert-manager.io', kind),
  ),
  'trust-manager': [customResourceDefinition('trust.cert-manager.io', 'Bundle')],
  'linkerd-crds': customResourceDefinitions().filter(({ spec }) =>
    /(^|\.)linkerd\.io$|^gateway\.networking/.test(spec.group),
  ),
};

/** See {@link MeshPlayers.adapted}. The fake injector registers its own webhook. */
function adapted(object: KubeObject, at: { readonly webhookPort: number; readonly ca: string }) {
  if (!object.kind.endsWith('WebhookConfiguration')) return object;
  if (object.metadata.name !== OPERATOR) return undefined;
  const webhooks: readonly { readonly clientConfig: { readonly service: { readonly path: string } } }[] =
    object.webhooks;
  return {
    ...object,
    webhooks: webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: {
        url: `https://127.0.0.1:${at.webhookPort}${webhook.clientConfig.service.path}`,
        caBundle: Buffer.from(at.ca).toString('base64'),
      },
    })),
  };
}

/** Waits for a Deployment that may not exist yet. */
async function available(cluster: OwnCluster, reference: Reference, signal: AbortSignal): Promise<KubeObject> {
  for (;;) {
    const deployment = await cluster.find(reference);
    if ((deployment?.status?.availableReplicas ?? 0) > 0 && deployment !== undefined) return deployment;
    await sleep(500, undefined, { signal });
  }
}
