import { operatorRules } from '#lib/constructs/operator/operator-rbac';
import type { LinkerdConfigSpec } from '#operator/api/linkerd-config';
import type { RbacRule } from '#operator/api/rbac/rule';
import type { Cluster } from '../cluster/cluster';
import { customResourceDefinition } from '../cluster/crds';
import { type KubeObject, ref } from '../cluster/objects';
import { INSTALLED, injector, type Mesh, meshIn } from './configured-mesh';
import { applyWorkloads } from './meshed-workloads';
import { cniConfigMap } from './network-fixture';
import { installOperator, type OperatorInstallation, type OperatorSettings } from './operator-installation';
import type { OperatorProcess, StartedWhen } from './operator-process';

/** All permissions of the operator. */
export const RULES: readonly RbacRule[] = operatorRules(true);

/** The LinkerdConfig of the mesh. */
export const CONFIG = ref('config.linkerd.io/v1alpha1', 'LinkerdConfig', 'mesh');

/** A new leader takes over within seconds. On a busy machine, a leader has five seconds to renew its lease. */
const QUICK_ELECTION = [
  '--leader-elect',
  '--leader-elect-lease-duration=6s',
  '--leader-elect-renew-deadline=5s',
  '--leader-elect-retry-period=200ms',
];

/** A cluster with all objects that the operator manages. */
export interface OperatedMesh {
  readonly cluster: Cluster;
  readonly installation: OperatorInstallation;
  readonly controlPlane: Mesh;
  /** The namespace of the workloads that the operator restarts. */
  readonly shop: string;
  /** The running operator. */
  operator(): OperatorProcess;
  isRunning(): boolean;
  start(until?: StartedWhen): Promise<void>;
  stop(): Promise<void>;
  /** Ensures that there is a LinkerdConfig with this deletion policy. */
  configured(deletionPolicy?: LinkerdConfigSpec['deletionPolicy']): Promise<void>;
  /** Sets a new configuration with a unique log level, and returns the log level. */
  change(): Promise<string>;
  /** The LinkerdConfig. @throws while its status is about an older spec */
  reported(): Promise<KubeObject>;
}

/** Creates a mesh, and an operator that is not started yet. */
export async function createOperatedMesh(cluster: Cluster, settings: OperatorSettings = {}): Promise<OperatedMesh> {
  await cluster.apply(customResourceDefinition('k8s.cni.cncf.io', 'NetworkAttachmentDefinition'));
  const shop = await cluster.namespace('shop');
  const workloads = settings.workloads && [shop, ...settings.workloads];
  const installation = await installOperator(cluster, { webhooks: true, args: QUICK_ELECTION, ...settings, workloads });
  const controlPlane = meshIn(cluster, installation.linkerdNamespace);
  await cluster.apply(cniConfigMap(installation.cniNamespace));
  await controlPlane.install(INSTALLED);
  await cluster.rolledOut(await cluster.apply(injector(controlPlane.namespace)));
  await applyWorkloads(cluster, shop);

  let running: OperatorProcess | undefined;
  let changes = 0;
  return {
    cluster,
    installation,
    controlPlane,
    shop,
    operator: () => {
      if (running === undefined) throw new Error('The operator is not running.');
      return running;
    },
    isRunning: () => running !== undefined,
    start: async (until) => {
      running = await installation.start([], until);
    },
    stop: async () => {
      const stopping = running;
      running = undefined;
      await stopping?.stop();
    },
    configured: async (deletionPolicy = 'Retain') => {
      if ((await cluster.find(CONFIG)) === undefined) {
        await controlPlane.configure('mesh', { maxUnavailableWorkloads: 10, values: {} });
      }
      await cluster.patch(CONFIG, { spec: { deletionPolicy } });
      await cluster.eventually(async () => {
        const { metadata, status } = await cluster.get(CONFIG);
        expect(metadata.finalizers ?? []).toHaveLength(deletionPolicy === 'Restore' ? 1 : 0);
        expect(status?.observedGeneration).toBe(metadata.generation);
      });
    },
    change: async () => {
      changes += 1;
      const logLevel = `warn,change${changes}=info`;
      await cluster.patch(CONFIG, { spec: { values: { proxy: { logLevel } } } });
      return logLevel;
    },
    reported: async () => {
      const config = await cluster.get(CONFIG);
      if (config.status?.observedGeneration !== config.metadata.generation) throw new Error('The status is old.');
      return config;
    },
  };
}
