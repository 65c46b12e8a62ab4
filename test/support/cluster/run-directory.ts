import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killControlPlane } from './pid-files';

/** The environment variable by which Jest workers find the folder of a test run's clusters. */
const VARIABLE = 'CLUSTER_RUN_DIRECTORY';

/** Creates, in the global setup, the folder for all files of the run's clusters. */
export function createRunDirectory(): void {
  process.env[VARIABLE] = mkdtempSync(join(tmpdir(), 'clusters-'));
}

/** The folder of this run. @throws outside Jest, where no teardown would remove it */
export function runDirectory(): string {
  const dir = process.env[VARIABLE];
  if (dir === undefined) throw new Error(`${VARIABLE} is not set: clusters are started by tests that Jest runs.`);
  return dir;
}

/** Ends, in the global teardown, the clusters that still run, and removes their files. */
export async function removeRunDirectory(): Promise<void> {
  const dir = process.env[VARIABLE];
  if (dir === undefined || !existsSync(dir)) return;
  await Promise.all(readdirSync(dir).map((cluster) => killControlPlane(join(dir, cluster))));
  rmSync(dir, { recursive: true, force: true });
}
