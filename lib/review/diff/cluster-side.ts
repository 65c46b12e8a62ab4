import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { FileContents, FileReader } from '../../gitops/changes/file-contents';
import { INDEX_FILE, parseIndex } from '../../gitops/synth/output/cluster-index';

/** The contents of all files in the folder of a cluster, by path, including foreign ones. */
export type ClusterTexts = ReadonlyMap<string, string>;

/** One of two outputs of a cluster. */
export interface ClusterSide {
  readonly texts: ClusterTexts;
  readonly index: ReturnType<typeof parseIndex>;
  /** The files in the index, and the index. */
  readonly listed: ReadonlySet<string>;
}

/** Both outputs of a cluster. */
export type Sides = Readonly<Record<'before' | 'after', ClusterSide>>;

/** Reads the index of a cluster's folder. */
export function clusterSide(texts: ClusterTexts): ClusterSide {
  const text = texts.get(INDEX_FILE);
  const index = text === undefined ? { files: [] } : parseIndex(text);
  return { texts, index, listed: new Set([INDEX_FILE, ...index.files]) };
}

/** An object of an output, with its file. */
export interface PlacedObject {
  readonly file: string;
  readonly object: KubernetesObject;
  readonly contents: FileContents;
}

/** Returns all objects of a cluster's output. */
export function objectsOf({ texts }: ClusterSide, reader: FileReader): readonly KubernetesObject[] {
  return [...texts].flatMap(([file, text]) => {
    if (!isManifest(file)) return [];
    const contents = reader.read(file, text);
    return contents.is === 'object' ? [contents.object] : [];
  });
}

/** Whether Argo CD reads a file as a manifest. */
export function isManifest(file: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(file);
}
