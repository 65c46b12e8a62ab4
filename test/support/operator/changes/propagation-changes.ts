import { CONFIG_ANNOTATION } from '#operator/api/names';
import { type KubeObject, ref } from '../../cluster/objects';
import { finishRollouts, meshedDeployment, meshedTemplate, type WorkloadKind, workloadRef } from '../meshed-workloads';
import type { OperatedMesh } from '../operated-mesh';
import type { PrepareChange } from './change';
import { fresh } from './fresh';

/** The LinkerdConfig. @throws while the injector does not have its configuration */
async function injected(mesh: OperatedMesh): Promise<KubeObject> {
  const config = await mesh.reported();
  const { configHash, injector } = config.status;
  expect(injector?.configHash).toBe(configHash);
  return config;
}

/** Changes the configuration; the operator restarts the injector. */
export const restartsInjector: PrepareChange = async (mesh) => {
  await mesh.configured();
  return { make: async () => void (await mesh.change()), seen: async () => void (await injected(mesh)) };
};

/** Changes the configuration; the operator restarts the workload of a kind. */
export const restarts =
  (kind: WorkloadKind): PrepareChange =>
  async (mesh) => {
    await mesh.configured();
    return { make: async () => void (await mesh.change()), seen: () => isRestarted(mesh, kind) };
  };

async function isRestarted(mesh: OperatedMesh, kind: WorkloadKind): Promise<void> {
  const { configHash, injector } = (await injected(mesh)).status;
  const { spec } = await mesh.cluster.get(workloadRef(kind, mesh.shop));
  if (kind === 'Rollout') expect(Date.parse(spec.restartAt)).toBeGreaterThan(Date.parse(injector.since));
  else expect(spec.template.metadata.annotations[CONFIG_ANNOTATION]).toMatch(new RegExp(`^${configHash}[.]`));
}

/** Changes the configuration; the operator reports when all workloads run with it. */
export const completes: PrepareChange = async (mesh) => {
  await mesh.configured();
  return {
    make: async () => void (await mesh.change()),
    seen: async () => {
      await isRestarted(mesh, 'Rollout');
      await finishRollouts(mesh.cluster);
      expect(await mesh.controlPlane.condition('mesh', 'Ready')).toBe('True InForce');
    },
  };
};

/** Deletes the budget that prevents a restart; the operator restarts the workload. */
export const waitsForBudgets: PrepareChange = async (mesh) => {
  const { cluster, shop } = mesh;
  await mesh.configured();
  const selector = { matchLabels: { app: 'statefulset' } };
  const budget = { ...ref('policy/v1', 'PodDisruptionBudget', 'web', shop), spec: { selector, maxUnavailable: 0 } };
  await cluster.apply(budget);
  await cluster.eventually(async () =>
    expect((await cluster.get(budget)).status).toMatchObject({ observedGeneration: 1 }),
  );
  await mesh.change();
  await cluster.eventually(async () => {
    const { conditions } = (await injected(mesh)).status;
    expect(JSON.stringify(conditions)).toContain('PodDisruptionBudget web');
  });
  return { make: () => cluster.delete(budget), seen: () => isRestarted(mesh, 'StatefulSet') };
};

/** Creates a pod without a controller; the operator reports that it cannot restart it. */
export const reportsPod: PrepareChange = async (mesh) => {
  await mesh.configured();
  const name = fresh('bare');
  const { metadata, spec } = meshedTemplate(name);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name, namespace: mesh.shop }, spec };
  return {
    make: async () => void (await mesh.cluster.apply(pod)),
    seen: async () => {
      const { status } = await mesh.reported();
      expect(status.unmanagedPods.pods).toContain(`${mesh.shop}/${name}`);
    },
  };
};

/** Creates a Deployment; the operator finds it by the ReplicaSet of the pods, and reports it. */
export const reportsDeployment: PrepareChange = async (mesh) => {
  await mesh.configured();
  const name = fresh('more');
  return {
    make: async () => void (await mesh.cluster.apply(meshedDeployment(name, mesh.shop))),
    seen: async () => {
      const { status } = await mesh.reported();
      expect(JSON.stringify(status.workloads)).toContain(`Deployment/${name}"`);
    },
  };
};
