import type { Change } from '../../support/operator/changes/change';
import { needsWhen } from './needs';
import { usePermittedMesh } from './permitted-mesh';
import { isQuiet } from './quiet';

// Not part of operator-rbac.slow.test.ts, since each of these tests takes seconds.
const { cluster, mesh, operator } = usePermittedMesh();

beforeEach(async () => {
  if (!mesh().isRunning()) await mesh().start();
});

test.each(needsWhen('watching'))(
  'without the permission to %s, the operator sees changes only by rereading everything',
  async (name, need, permission) => {
    const listing = name.replace(/^watch/, 'list');
    /** Whether the operator sees a change without rereading everything. */
    const isWatched = async (change: Change): Promise<boolean> => {
      await isQuiet(mesh());
      const requests = operator().requestsFrom();
      await change.make();
      await cluster().eventually(change.seen);
      return !requests().used.includes(listing);
    };
    const change = await need.change(mesh());
    await mesh().stop();
    const requests = operator().requestsFrom();
    await operator().revoke(permission);
    await mesh().start('alive');
    await cluster().eventually(() => expect(requests().refused).toContain(name));
    expect(await isWatched(change)).toBe(false);
    expect(new Set(requests().refused)).toEqual(new Set([name]));

    const after = operator().requestsFrom();
    await operator().restore();
    await cluster().eventually(() => expect(after().used).toContain(name));
    await cluster().eventually(async () => expect(await isWatched(await need.change(mesh()))).toBe(true));
  },
);
