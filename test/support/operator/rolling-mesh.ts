import { RECONCILE } from '#linkerd/annotations';
import type { LinkerdConfigSpec } from '#operator/api/linkerd-config';
import { CONFIG_ANNOTATION } from '#operator/api/names';
import type { Cluster } from '../cluster/cluster';
import { type KubeObject, type Reference, ref } from '../cluster/objects';
import { INSTALLED, injector, type Mesh, meshIn } from './configured-mesh';
import { installOperator, type OperatorInstallation } from './operator-installation';

/** The LinkerdConfig of the mesh. */
export const CONFIG = ref('config.linkerd.io/v1alpha1', 'LinkerdConfig', 'mesh');

/** A control plane with an injector's Deployment, and an operator that is not started yet. */
export interface RollingMesh {
  readonly controlPlane: Mesh;
  readonly injector: Reference;
  readonly installation: OperatorInstallation;
  /** Sets another configuration, waits until the status has its hash, and returns the hash. */
  change(logLevel: string, spec?: Partial<LinkerdConfigSpec>): Promise<string>;
  status(): Promise<KubeObject>;
  /** Waits until the operator reports that no further restart is due. */
  done(timeoutMs?: number): Promise<void>;
  /** Waits for a condition's state, such as `True RolloutStuck` of `Degraded`, with this text in its message. */
  says(type: string, state: string, what: string): Promise<void>;
}

export async function createRollingMesh(cluster: Cluster, args: readonly string[] = []): Promise<RollingMesh> {
  const installation = await installOperator(cluster, { multus: false, args });
  const controlPlane = meshIn(cluster, installation.linkerdNamespace);
  await controlPlane.install(INSTALLED);
  const injectorObject = await cluster.apply(injector(controlPlane.namespace));
  await cluster.rolledOut(injectorObject);
  const status = async () => (await cluster.get(CONFIG)).status;
  return {
    controlPlane,
    installation,
    injector: injectorObject,
    status,
    change: async (logLevel, spec = {}) => {
      // There is no hash before the operator has adopted the installation.
      const before = await cluster.eventually(async () => (await status()).configHash);
      await cluster.patch(CONFIG, { spec: { ...spec, values: { proxy: { logLevel } } } });
      return cluster.eventually(async () => {
        const { configHash } = await status();
        expect(configHash).not.toBe(before);
        return configHash;
      });
    },
    done: (timeoutMs = 30_000) =>
      cluster.eventually(
        async () => expect(await controlPlane.condition('mesh', 'Progressing')).toBe('False UpToDate'),
        { timeoutMs },
      ),
    says: (type, state, what) =>
      cluster.eventually(async () => {
        expect(await controlPlane.condition('mesh', type)).toBe(state);
        const conditions: readonly { type: string; message: string }[] = (await status()).conditions;
        expect(conditions.find((condition) => condition.type === type)?.message).toContain(what);
      }),
  };
}

export type Kind = 'Deployment' | 'StatefulSet' | 'DaemonSet';

interface WorkloadParts {
  /** Further fields of the spec. */
  readonly spec?: Readonly<Record<string, unknown>>;
  /** Further fields of the pods' spec. */
  readonly podSpec?: Readonly<Record<string, unknown>>;
  /** Whether the pods' label requests restarts. @default true */
  readonly asks?: boolean;
  /** Whether the pods have a proxy. @default true */
  readonly injected?: boolean;
}

/** A workload whose pods the operator restarts for a new configuration. */
export function workload(kind: Kind, name: string, namespace: string, parts: WorkloadParts = {}): KubeObject {
  const { asks = true, injected = true } = parts;
  const labels = { app: name, ...(asks && { [RECONCILE]: 'auto' }) };
  const containers = [{ name: 'app', image: 'app' }, ...(injected ? [{ name: 'linkerd-proxy', image: 'proxy' }] : [])];
  const template = { metadata: { labels }, spec: { containers, terminationGracePeriodSeconds: 0, ...parts.podSpec } };
  const ofKind = kind === 'StatefulSet' ? { serviceName: name } : {};
  return {
    ...ref('apps/v1', kind, name, namespace),
    spec: { selector: { matchLabels: { app: name } }, template, ...ofKind, ...parts.spec },
  };
}

/** A pod without a controller. */
export function barePod(name: string, namespace: string): KubeObject {
  const { metadata, spec } = workload('Deployment', name, namespace).spec.template;
  return { ...ref('v1', 'Pod', name, namespace), metadata: { ...metadata, name, namespace }, spec };
}

/** The hash of the configuration for which a workload was restarted. */
export async function configOf(cluster: Cluster, reference: Reference): Promise<string | undefined> {
  const { spec } = await cluster.get(reference);
  return spec.template.metadata.annotations?.[CONFIG_ANNOTATION]?.split('.')[0];
}

/** The number of pod templates in a workload's revision history. */
export async function templatesOf(cluster: Cluster, { kind, metadata }: Reference): Promise<number> {
  const revisions = kind === 'Deployment' ? 'ReplicaSet' : 'ControllerRevision';
  const { uid } = (await cluster.get(ref('apps/v1', kind, metadata.name ?? '', metadata.namespace))).metadata;
  const history = await cluster.list('apps/v1', revisions, { namespace: metadata.namespace });
  return history.filter(({ metadata: { ownerReferences } }) => ownerReferences?.some((owner) => owner.uid === uid))
    .length;
}

/** Deletes all workloads and pods of a namespace that request restarts, because tests share a cluster. */
export async function removeFollowers(cluster: Cluster, namespace: string): Promise<void> {
  for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet'] as const) {
    for (const object of await cluster.list('apps/v1', kind, { namespace })) await cluster.delete(object);
  }
  // The garbage collector would delete the ReplicaSet of a Rollout only later.
  for (const object of await cluster.list('apps/v1', 'ReplicaSet', { namespace })) {
    if (object.metadata.ownerReferences?.[0]?.kind === 'Rollout') await cluster.delete(object);
  }
  const selection = { namespace, labelSelector: RECONCILE };
  for (const pod of await cluster.list('v1', 'Pod', selection)) {
    if (pod.metadata.ownerReferences === undefined) await cluster.delete(pod);
  }
  await cluster.eventually(async () => expect(await cluster.list('v1', 'Pod', selection)).toHaveLength(0));
}
