import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '../../support/operator/changes/change';
import { restores } from '../../support/operator/changes/config-changes';
import { tellsDrift } from '../../support/operator/changes/drift-changes';
import { completes } from '../../support/operator/changes/propagation-changes';
import { createOperatedMesh } from '../../support/operator/operated-mesh';
import { NEEDS, needsWhen } from './needs';
import { usePermittedMesh } from './permitted-mesh';
import { PERMISSIONS, type PermittedOperator, permittedOperator } from './permitted-operator';

const { cluster, mesh, operator } = usePermittedMesh();

test('the test covers the need for each permission', () => {
  expect(Object.keys(NEEDS).toSorted()).toEqual([...PERMISSIONS.keys()].toSorted());
});

test('the operator works with all permissions, uses each, and requests no others', async () => {
  const requests = operator().requestsFrom();
  await mesh().start();
  for (const prepare of new Set(Object.values(NEEDS).map(({ change }) => change))) {
    const change = await prepare(mesh());
    await change.make();
    await cluster().eventually(change.seen);
  }
  const { used, refused } = requests();
  expect(refused).toEqual([]);
  expect([...new Set(used)].toSorted()).toEqual([...PERMISSIONS.keys()].toSorted());
});

describe('without the permission to', () => {
  beforeEach(async () => {
    if (!mesh().isRunning()) await mesh().start();
  });

  test.each(needsWhen('working'))(
    '%s, the operator does not do its part until it has the permission again',
    async (name, need, permission) => {
      const change = await need.change(mesh());
      const requests = operator().requestsFrom();
      await operator().revoke(permission);
      await change.make();
      await isRefused(name, requests, change);

      await operator().restore();
      if (need.again === 'the change') await change.make();
      if (need.again === 'the start') {
        await mesh().stop();
        await mesh().start();
      }
      await cluster().eventually(change.seen);
    },
  );

  test.each(needsWhen('starting'))(
    '%s, the operator does not start its work until it has the permission again',
    async (name, need, permission) => {
      const change = await need.change(mesh());
      await mesh().stop();
      await need.before?.(mesh());
      const requests = operator().requestsFrom();
      await operator().revoke(permission);
      await mesh().start('alive');
      await change.make();
      await isRefused(name, requests, change);

      await operator().restore();
      await cluster().eventually(change.seen);
    },
  );
});

// The last test: another installation takes over the Roles in the control plane's namespace.
test('without Multus, the operator requests nothing beyond its permissions', async () => {
  await mesh().stop();
  const { linkerdNamespace, cniNamespace } = mesh().installation;
  const other = await createOperatedMesh(cluster(), { multus: false, linkerdNamespace, cniNamespace });
  const requests = permittedOperator(other).requestsFrom();
  await other.start();
  for (const prepare of [completes, tellsDrift, restores]) {
    const change = await prepare(other);
    await change.make();
    await cluster().eventually(change.seen);
  }
  await other.stop();
  expect(requests().used).toContain('list poddisruptionbudgets');
  expect(requests().refused).toEqual([]);
});

/** Waits until only this permission was refused, so that the operator cannot do its part of a change. */
async function isRefused(
  name: string,
  requests: ReturnType<PermittedOperator['requestsFrom']>,
  change: Change,
): Promise<void> {
  await cluster().eventually(() => expect(requests().refused).toContain(name));
  // Neither now nor after some more attempts.
  await expect(change.seen()).rejects.toThrow();
  await sleep(200);
  await expect(change.seen()).rejects.toThrow();
  expect(new Set(requests().refused)).toEqual(new Set([name]));
}
