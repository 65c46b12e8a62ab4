import { join } from 'node:path';

/**
 * Folder with what a chart really rendered, to see where a render differs and not only that it does: below the folder
 * that the environment variable CONFORMANCE_DIR names, if it is set.
 */
export function recordedRenders(chart: string, release: string): string | undefined {
  const root = process.env.CONFORMANCE_DIR;
  return root === undefined ? undefined : join(root, chart, release);
}
