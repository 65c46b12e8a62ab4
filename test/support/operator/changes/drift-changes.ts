import type { OperatedMesh } from '../operated-mesh';
import type { Change, PrepareChange } from './change';
import { fresh } from './fresh';

/** Changes the values by hand, as a field manager. */
async function tamper({ cluster, controlPlane }: OperatedMesh, who: string): Promise<void> {
  const values = (await controlPlane.values()).replace(/uid: 2102/, 'uid: 1');
  await cluster.patch(await controlPlane.configMap(), { data: { values } }, { fieldManager: who });
}

async function isMended({ controlPlane }: OperatedMesh): Promise<void> {
  expect(await controlPlane.values()).toContain('uid: 2102');
}

/** How often a field manager's change was reverted, by the count of the Event. */
async function timesReverted({ cluster }: OperatedMesh, who: string): Promise<number> {
  const events = await cluster.list('v1', 'Event', { fieldSelector: 'reason=DriftReverted' });
  return events.find(({ message }) => message.includes(who))?.count ?? 0;
}

/** Changes the values by hand; the operator reverts this. */
export const revertsDrift: PrepareChange = async (mesh) => {
  await mesh.configured();
  return { make: () => tamper(mesh, 'jane'), seen: () => isMended(mesh) };
};

/** Changes the values by hand; the operator reverts this, and writes an Event. */
export const tellsDrift: PrepareChange = async (mesh) => {
  await mesh.configured();
  return toldDrift(mesh, fresh('jane'), 1);
};

/** Changes the values by hand again; the operator increments the Event's count. */
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
