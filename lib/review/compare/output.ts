import { INDEX_FILE, parseIndex } from '../../gitops/synth/output/cluster-index';

/** An output as it was read: texts by path, the index included, of each of its clusters. */
export type Output = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The output of one cluster. */
export interface ClusterFiles {
  /** Texts of the files that a synthesis wrote, by path in the cluster's folder. */
  readonly files: ReadonlyMap<string, string>;
  readonly index: ReturnType<typeof parseIndex>;
}

/** The files of one cluster that a synthesis wrote, without those of others. */
export function clusterFiles(texts: ReadonlyMap<string, string>): ClusterFiles {
  const index = parseIndex(texts.get(INDEX_FILE) ?? '');
  const files = index.files.flatMap((path) => {
    const text = texts.get(path);
    return text === undefined ? [] : [[path, text] as const];
  });
  return { files: new Map(files), index };
}
