import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killControlPlane } from './pid-files';

/** Names the folder of the clusters of one test run, for the workers. */
const VARIABLE = 'CLUSTER_RUN_DIRECTORY';

/** Makes, for the global setup, the folder in which everything lies that clusters write in this run. */
export function createRunDirectory(): void {
  process.env[VARIABLE] = mkdtempSync(join(tmpdir(), 'clusters-'));
}

/** The folder of this run. @throws outside Jest, where nobody would remove it */
export function runDirectory(): string {
  const dir = process.env[VARIABLE];
  if (dir === undefined) throw new Error(`${VARIABLE} is not set: clusters are started by tests that Jest runs.`);
  return dir;
}

/** Ends, for the global teardown, the clusters that are left, and removes what they wrote. */
export async function removeRunDirectory(): Promise<void> {
  const dir = process.env[VARIABLE];
  if (dir === undefined || !existsSync(dir)) return;
  await Promise.all(readdirSync(dir).map((cluster) => killControlPlane(join(dir, cluster))));
  rmSync(dir, { recursive: true, force: true });
}
