import { stringifyYaml } from '#base/yaml-writer';
import { formatIndex, INDEX_FILE, indexOf } from '#lib/gitops/synth/output/cluster-index';
import type { Output } from '#lib/review/compare/output';
import type { Consequence } from '#lib/review/diff/consequences/catalogue';
import { outputDiff } from '#lib/review/diff/diff';
import type { OutputDiff } from '#lib/review/diff/model';
import type { Installed } from '#linkerd/releases/installed';

/** Files of a cluster, as texts or as objects to write. */
export type Files = Readonly<Record<string, string | object>>;

/** The output of one cluster with an index of all its files. */
export function cluster(files: Files, installed?: Installed): ReadonlyMap<string, string> {
  const texts = Object.entries(files).map(
    ([file, of]) => [file, typeof of === 'string' ? of : stringifyYaml(of)] as const,
  );
  return new Map([...texts, [INDEX_FILE, formatIndex(indexOf(Object.keys(files), [], installed))]]);
}

/** The difference between outputs, by folder. */
export function compare(
  before: Readonly<Record<string, ReadonlyMap<string, string>>>,
  after: typeof before,
): OutputDiff {
  const of = (clusters: typeof before): Output => new Map(Object.entries(clusters));
  return outputDiff({ before: of(before), after: of(after), from: 'a', to: 'b' });
}

/** The difference between two outputs of the cluster `home` alone. */
export function compareHome(before: Files, after: Files): OutputDiff {
  return compare({ home: cluster(before) }, { home: cluster(after) });
}

export function consequences({ groups }: OutputDiff): readonly Consequence[] {
  return groups.flatMap((group) => group.consequences);
}

/** The difference between two states of one object in the cluster `home`; undefined for a missing object. */
export function compareObject(before: object | undefined, after: object | undefined, others: Files = {}): OutputDiff {
  const files = (object: object | undefined): Files => ({
    ...others,
    ...(object === undefined ? {} : { 'a/a.yaml': object }),
  });
  return compareHome(files(before), files(after));
}

/** The namespace `shop`, or another by its metadata. */
export function namespace(metadata: object): object {
  return object('v1', 'Namespace', {}, { name: 'shop', namespace: undefined, ...metadata });
}

/** The values of a mesh, as the injector reads them. */
export function meshConfig(values: string, metadata: object = {}): object {
  const name = 'linkerd-config';
  return object('v1', 'ConfigMap', { data: { values } }, { name, namespace: 'linkerd', ...metadata });
}

/** An object of a kind, with these members. */
export function object(apiVersion: string, kind: string, members: object = {}, metadata: object = {}): object {
  return { apiVersion, kind, metadata: { name: 'a', namespace: 'b', ...metadata }, ...members };
}
