import { ref } from '../../cluster/objects';
import { INSTALLED } from '../configured-mesh';
import { CONFIG } from '../operated-mesh';
import type { PrepareChange } from './change';
import { fresh } from './fresh';

/** Changes a value; the operator writes it. */
export const writesValues: PrepareChange = async (mesh) => {
  await mesh.configured();
  let value = '';
  return {
    make: async () => {
      value = await mesh.change();
    },
    seen: async () => expect(await mesh.controlPlane.values()).toContain(`logLevel: ${value}\n`),
  };
};

/** Changes a value; the operator reports it in the status. */
export const reportsStatus: PrepareChange = async (mesh) => {
  await mesh.configured();
  return { make: async () => void (await mesh.change()), seen: async () => void (await mesh.reported()) };
};

/** Sets the deletion policy `Restore`; the operator adds its finalizer. */
export const holdsDeletion: PrepareChange = async ({ cluster, configured }) => {
  await configured('Retain');
  return {
    make: async () => void (await cluster.patch(CONFIG, { spec: { deletionPolicy: 'Restore' } })),
    seen: async () => expect((await cluster.get(CONFIG)).metadata.finalizers).toHaveLength(1),
  };
};

/** Creates a second LinkerdConfig for the same control plane; the operator refuses it. */
export const refusesSecond: PrepareChange = async (mesh) => {
  await mesh.configured();
  const second = fresh('second');
  return {
    make: async () => void (await mesh.controlPlane.configure(second)),
    seen: async () => {
      expect(await mesh.controlPlane.condition(second, 'Accepted')).toBe('False Conflict');
      await mesh.cluster.delete(ref(CONFIG.apiVersion, CONFIG.kind, second));
    },
  };
};

/** Creates the first LinkerdConfig of a control plane; the operator keeps a baseline. */
export const adopts: PrepareChange = async (mesh) => {
  const deletion = await restores(mesh);
  await deletion.make();
  await mesh.cluster.eventually(deletion.seen);
  return {
    make: async () => void (await mesh.controlPlane.configure('mesh', { maxUnavailableWorkloads: 10, values: {} })),
    seen: async () => expect(await mesh.controlPlane.baseline()).toBeDefined(),
  };
};

/** Deletes a LinkerdConfig; the operator deletes the baseline, and removes the finalizer of the LinkerdConfig. */
export const restores: PrepareChange = async ({ cluster, controlPlane, configured }) => {
  await configured('Restore');
  return {
    make: () => cluster.delete(CONFIG),
    seen: async () => {
      expect(await controlPlane.baseline()).toBeUndefined();
      expect(await cluster.find(CONFIG)).toBeUndefined();
    },
  };
};

/** Installs other values; the operator replaces the baseline. */
export const takesOverInstallation: PrepareChange = async ({ controlPlane, configured }) => {
  await configured();
  const installed = INSTALLED.replace('cluster.local', fresh('cluster'));
  return {
    make: async () => void (await controlPlane.install(installed)),
    seen: async () => expect((await controlPlane.baseline())?.data.values).toBe(installed),
  };
};
