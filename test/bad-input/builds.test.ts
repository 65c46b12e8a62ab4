import type { Cluster } from '../../lib';
import { exactly, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

test('a build that is not done when it returns, which would delete nearly everything', () => {
  const later = async (cluster: Cluster) => {
    await Promise.resolve();
    mesh(cluster);
  };
  expect(refused(later)).toEqual(exactly({ at: 'home', code: 'cluster-built-async' }));
});

test("what becomes of such a build is nobody else's problem", async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const failing = async () => {
    await Promise.resolve();
    throw new Error('too late');
  };
  expect(refused(failing)).toHaveLength(1);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('a build that adds nothing, which would delete everything', () => {
  expect(refused(() => {})).toEqual(exactly({ at: 'home', code: 'cluster-empty' }));
});
