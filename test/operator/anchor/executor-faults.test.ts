import { stableMesh, tryAll } from './executor-trial';

test('an executor with a fault at any one write or read still completes a rotation, in the right order', async () => {
  await tryAll(await stableMesh(), 2, { change: (mesh) => mesh.spec({ rotateNow: 'two' }), issuers: [] });
}, 300_000);
