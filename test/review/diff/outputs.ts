import { formatIndex, INDEX_FILE, indexOf } from '#lib/gitops/synth/output/cluster-index';
import { stringifyYaml } from '#lib/kubernetes/yaml';
import type { Installed } from '#lib/linkerd/releases/installed';
import type { Output } from '#lib/review/compare/output';
import { outputDiff } from '#lib/review/diff/diff';
import type { OutputDiff } from '#lib/review/diff/model';

/** Files of a cluster: texts, or objects that are written. */
export type Files = Readonly<Record<string, string | object>>;

/** The output of one cluster, with an index of all of its files. */
export function cluster(files: Files, installed?: Installed): ReadonlyMap<string, string> {
  const texts = Object.entries(files).map(
    ([file, of]) => [file, typeof of === 'string' ? of : stringifyYaml(of)] as const,
  );
  return new Map([...texts, [INDEX_FILE, formatIndex(indexOf(Object.keys(files), [], installed))]]);
}

/** The difference of outputs, by folder. */
export function compare(
  before: Readonly<Record<string, ReadonlyMap<string, string>>>,
  after: typeof before,
): OutputDiff {
  const of = (clusters: typeof before): Output => new Map(Object.entries(clusters));
  return outputDiff({ before: of(before), after: of(after), from: 'a', to: 'b' });
}

/** The difference of one object of the cluster `home`, either side of which may be missing. */
export function compareObject(before: object | undefined, after: object | undefined, others: Files = {}): OutputDiff {
  const files = (object: object | undefined): Files => ({
    ...others,
    ...(object === undefined ? {} : { 'a/a.yaml': object }),
  });
  return compare({ home: cluster(files(before)) }, { home: cluster(files(after)) });
}

/** An object of a kind, with members beside its metadata. */
export function object(apiVersion: string, kind: string, members: object = {}, metadata: object = {}): object {
  return { apiVersion, kind, metadata: { name: 'a', namespace: 'b', ...metadata }, ...members };
}
