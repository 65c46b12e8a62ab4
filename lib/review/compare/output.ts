import { INDEX_FILE, parseIndex } from '../../gitops/synth/output/cluster-index';

/** An output on disk or at a Git revision: file contents by path for each cluster, including the index. */
export type Output = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The output of one cluster. */
export interface ClusterFiles {
  /** Contents of the synthesized files, by path in the cluster's folder. */
  readonly files: ReadonlyMap<string, string>;
  readonly index: ReturnType<typeof parseIndex>;
}

/** Returns the synthesized files of one cluster, without foreign ones. */
export function clusterFiles(texts: ReadonlyMap<string, string>): ClusterFiles {
  const index = parseIndex(texts.get(INDEX_FILE) ?? '');
  const files = index.files.flatMap((path) => {
    const text = texts.get(path);
    return text === undefined ? [] : [[path, text] as const];
  });
  return { files: new Map(files), index };
}
