import { renamedClusters, writtenDestinations } from '../../gitops/argocd/written-destinations';
import type { FileReader } from '../../gitops/changes/file-contents';
import { ARGOCD_FOLDER } from '../../gitops/synth/output/file-names';
import type { Output } from './output';

type Texts = ReadonlyMap<string, string>;

/** The folders of one cluster in two outputs; either may be missing. */
export interface ClusterPair {
  readonly name: string;
  readonly before: Texts | undefined;
  readonly after: Texts | undefined;
  /** The name in the earlier output, if different. */
  readonly renamedFrom?: string;
}

/** Pairs the folders of two outputs by name, and the folders of a renamed cluster by its destination. */
export function clusterPairs(before: Output, after: Output, reader: FileReader): readonly ClusterPair[] {
  const [old, next] = [before, after].map((output) => destinationsIn(output, reader));
  const renamed = old === undefined || next === undefined ? new Map<string, string>() : renamedClusters(old, next);
  const gone = new Set(renamed.values());
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !gone.has(name)).sort();
  return names.map((name) => {
    const renamedFrom = renamed.get(name);
    return {
      name,
      before: before.get(renamedFrom ?? name),
      after: after.get(name),
      ...(renamedFrom === undefined ? {} : { renamedFrom }),
    };
  });
}

/** Returns the destinations of the clusters in an output, by name. */
function destinationsIn(output: Output, reader: FileReader): ReadonlyMap<string, string> {
  const sets = [...(output.get(ARGOCD_FOLDER) ?? [])].flatMap(([path, text]) => {
    const contents = path.startsWith('applicationset.') ? reader.read(path, text) : undefined;
    return contents?.is === 'object' ? [contents.object] : [];
  });
  return new Map([...writtenDestinations(sets)].filter(([name]) => output.has(name)));
}
