import type { OperatedMesh } from '../operated-mesh';
import type { Change, PrepareChange } from './change';
import { fresh } from './fresh';

/** Somebody changes the values by hand. */
async function tamper({ cluster, controlPlane }: OperatedMesh, who: string): Promise<void> {
  const values = (await controlPlane.values()).replace(/uid: 2102/, 'uid: 1');
  await cluster.patch(await controlPlane.configMap(), { data: { values } }, { fieldManager: who });
}

async function isMended({ controlPlane }: OperatedMesh): Promise<void> {
  expect(await controlPlane.values()).toContain('uid: 2102');
}

/** Returns the number of times that somebody's change was reverted, as an Event counts it. */
async function timesReverted({ cluster }: OperatedMesh, who: string): Promise<number> {
  const events = await cluster.list('v1', 'Event', { fieldSelector: 'reason=DriftReverted' });
  return events.find(({ message }) => message.includes(who))?.count ?? 0;
}

/** Values that somebody changes by hand. */
export const revertsDrift: PrepareChange = async (mesh) => {
  await mesh.configured();
  return { make: () => tamper(mesh, 'jane'), seen: () => isMended(mesh) };
};

/** The same, which is told. */
export const tellsDrift: PrepareChange = async (mesh) => {
  await mesh.configured();
  return toldDrift(mesh, fresh('jane'), 1);
};

/** The same, once more. */
export const countsDrift: PrepareChange = async (mesh) => {
  await mesh.configured();
  const who = fresh('jane');
  const first = toldDrift(mesh, who, 1);
  await first.make();
  await mesh.cluster.eventually(first.seen);
  return toldDrift(mesh, who, 2);
};

function toldDrift(mesh: OperatedMesh, who: string, times: number): Change {
  return {
    make: () => tamper(mesh, who),
    seen: async () => {
      await isMended(mesh);
      expect(await timesReverted(mesh, who)).toBeGreaterThanOrEqual(times);
    },
  };
}
