import { createHealthServer } from '#controller-runtime/server/health-server';
import { memoryLog } from '#test/support/controller-runtime/memory-log';

test('the health server reports a live process at once, and a ready one once nothing is missing', async () => {
  let missing = ['cache of pods', 'server webhook'];
  const server = createHealthServer({ port: 0, missing: () => missing, log: memoryLog().log });
  const url = `http://127.0.0.1:${await server.start()}`;
  try {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const waiting = await fetch(`${url}/readyz`);
    expect(waiting.status).toBe(503);
    expect(await waiting.text()).toBe('not ready: cache of pods\nnot ready: server webhook\n');
    missing = [];
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  } finally {
    await server.stop();
  }
});
