import { stableMesh, tryAll } from './executor-trial';

test('a rotation that meets a fault at any write or read is ended all the same, in the right order', async () => {
  await tryAll(await stableMesh(), 2, { change: (mesh) => mesh.spec({ rotateNow: 'two' }), issuers: [] });
}, 300_000);
