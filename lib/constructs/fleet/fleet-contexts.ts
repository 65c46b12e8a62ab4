import type { Problem } from '#base/findings/problem';
import { isMap } from '#base/values';
import { parseFleetText } from './fleet-text';

/**
 * Returns the kubeconfig contexts of clusters in a fleet file, by the name of the cluster, or the problems of reading
 * it. Everything else in the file is checked at synth.
 */
export function contextsInFleet(text: string): ReadonlyMap<string, string> | readonly Problem[] {
  const parsed = parseFleetText(text);
  if (!('data' in parsed)) return parsed.map(({ problem }) => problem);
  const { data } = parsed;
  const clusters: unknown = isMap(data) ? data.clusters : undefined;
  if (!Array.isArray(clusters)) return new Map();
  return new Map(
    clusters.flatMap((cluster: unknown) => {
      const { name, context } = isMap(cluster) ? cluster : {};
      return typeof name === 'string' && typeof context === 'string' ? [[name, context] as const] : [];
    }),
  );
}
