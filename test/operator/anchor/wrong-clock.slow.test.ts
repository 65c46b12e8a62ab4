import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from '#operator/bundle/build-bundle';
import { ref } from '../../support/cluster/objects';
import { gitManifests, meshOfFile, startAnchoredMesh } from './anchored-mesh';

/** A script that sets the clock of a Node.js process a day ahead. */
const A_DAY_AHEAD = `
const Real = Date;
const now = () => Real.now() + 86_400_000;
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length === 0 ? [now()] : given)); }
  static now() { return now(); }
};
`;

const mesh = meshOfFile(startAnchoredMesh);
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'wrong-clock-'));
  writeFileSync(join(dir, 'ahead.cjs'), A_DAY_AHEAD);
  await mesh.cluster.applyAll(gitManifests());
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true }));

test('an operator whose clock is a day ahead does nothing, and reports the wrong clock', async () => {
  const command = [process.execPath, '--require', join(dir, 'ahead.cjs'), PROGRAM];
  const ahead = await mesh.operator.start([], 'ready', command);
  const wrong = {
    type: 'Degraded',
    status: 'True',
    reason: 'ClockWrong',
    message: expect.stringContaining('ahead of'),
  };
  await mesh.cluster.eventually(async () => {
    expect((await mesh.anchor()).status?.conditions).toContainEqual(expect.objectContaining(wrong));
    expect(await ahead.metric('linkerd_trust_anchor_stuck')).toBe(1);
  });
  expect(
    await mesh.cluster.find(ref('cert-manager.io/v1', 'Certificate', 'linkerd-trust-anchor-1', 'cert-manager')),
  ).toBeUndefined();
  await ahead.stop();
}, 60_000);

test('an operator with a correct clock continues the rotation', async () => {
  const right = await mesh.operator.start();
  await mesh.rotatedTo(1, 60_000);
  await right.stop();
}, 90_000);
