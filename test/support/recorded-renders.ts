import { join } from 'node:path';

/**
 * The folder with Helm's recorded renders of a chart, which show the places of differences. It is in the folder of the
 * environment variable CONFORMANCE_DIR, if that is set.
 */
export function recordedRenders(chart: string, release: string): string | undefined {
  const root = process.env.CONFORMANCE_DIR;
  return root === undefined ? undefined : join(root, chart, release);
}
