import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { SYNC_WAVE } from '../../../kubernetes/sync-options';
import type { FolderWaves, Wave } from '../model';

/** An object, and the folder in which it lies. */
export interface FolderObject {
  readonly folder: string;
  readonly object: KubernetesObject;
}

/** A chart that Helm inflates in a folder. */
export interface FolderChart {
  readonly folder: string;
  readonly chart: string;
}

/** Counts the objects of each folder by wave and kind. */
export function wavesOf(objects: readonly FolderObject[], charts: readonly FolderChart[]): readonly FolderWaves[] {
  const folders = [...new Set([...objects, ...charts].map(({ folder }) => folder))].sort();
  return folders.map((folder) => ({
    folder,
    charts: charts.filter((one) => one.folder === folder).map(({ chart }) => chart),
    waves: wavesIn(objects.filter((one) => one.folder === folder).map(({ object }) => object)),
  }));
}

function wavesIn(objects: readonly KubernetesObject[]): readonly Wave[] {
  const byWave = new Map<number, Map<string, number>>();
  for (const object of objects) {
    const wave = waveOf(object);
    const kinds = byWave.get(wave) ?? new Map<string, number>();
    kinds.set(object.kind, (kinds.get(object.kind) ?? 0) + 1);
    byWave.set(wave, kinds);
  }
  return [...byWave]
    .sort(([a], [b]) => a - b)
    .map(([wave, kinds]) => ({ wave, kinds: [...kinds].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)) }));
}

/** Argo CD takes what is no whole number for 0, as what is not there. */
function waveOf({ metadata }: KubernetesObject): number {
  const wave = metadata.annotations?.[SYNC_WAVE] ?? '0';
  return /^-?\d{1,9}$/.test(wave) ? Number(wave) : 0;
}
