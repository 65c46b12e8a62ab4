import { ref } from '../../cluster/objects';
import { INSTALLED } from '../configured-mesh';
import { CONFIG } from '../operated-mesh';
import type { PrepareChange } from './change';
import { fresh } from './fresh';

/** Another value. */
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

/** Another value, whose fate is reported. */
export const reportsStatus: PrepareChange = async (mesh) => {
  await mesh.configured();
  return { make: async () => void (await mesh.change()), seen: async () => void (await mesh.reported()) };
};

/** A LinkerdConfig whose deletion is to bring the old values back. */
export const holdsDeletion: PrepareChange = async ({ cluster, configured }) => {
  await configured('Retain');
  return {
    make: async () => void (await cluster.patch(CONFIG, { spec: { deletionPolicy: 'Restore' } })),
    seen: async () => expect((await cluster.get(CONFIG)).metadata.finalizers).toHaveLength(1),
  };
};

/** A second LinkerdConfig for the same control plane. */
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

/** The first LinkerdConfig of a control plane. */
export const adopts: PrepareChange = async (mesh) => {
  const deletion = await restores(mesh);
  await deletion.make();
  await mesh.cluster.eventually(deletion.seen);
  return {
    make: async () => void (await mesh.controlPlane.configure('mesh', { maxUnavailableWorkloads: 10, values: {} })),
    seen: async () => expect(await mesh.controlPlane.baseline()).toBeDefined(),
  };
};

/** The end of a LinkerdConfig after which the old values are back, and nothing is kept. */
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

/** An installation of other values. */
export const takesOverInstallation: PrepareChange = async ({ controlPlane, configured }) => {
  await configured();
  const installed = INSTALLED.replace('cluster.local', fresh('cluster'));
  return {
    make: async () => void (await controlPlane.install(installed)),
    seen: async () => expect((await controlPlane.baseline())?.data.values).toBe(installed),
  };
};
