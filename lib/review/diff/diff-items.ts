import { grouped } from '#base/grouped';
import { unmarked } from '#kubernetes/findings/sealed-data';
import { describeObject } from '#kubernetes/objects/kubernetes-object';
import type { ClusterDiff } from './cluster-diff';
import type { Consequence } from './consequences/catalogue';
import type { Change, DiffGroup, FieldDifference, GroupChange, GroupField } from './model';
import { SEVERITIES } from './severity';

type ChangeHead = Omit<Change, 'fields'>;

/** A field of a change, a change without fields, or a consequence. */
interface Item {
  /** Absent for consequences. */
  readonly head?: ChangeHead;
  readonly isRoutine: boolean;
  readonly clusters: string[];
  readonly variants: Map<string, Variant>;
}

interface Variant {
  readonly of: FieldDifference | Consequence | undefined;
  readonly clusters: string[];
}

interface Noted extends Pick<Item, 'head' | 'isRoutine'>, Pick<Variant, 'of'> {
  readonly key: string;
  readonly text: string;
}

const OF_EACH = '(each cluster has its own value)';

/**
 * Groups fields of changes, and consequences, by their clusters. An item is a field or a consequence, with its values
 * in each cluster. Items of the same clusters form a group. An item of fewer clusters joins a larger group with a
 * related item: the same value at another path, version labels, or consequences for the same object.
 */
export class DiffItems {
  private readonly known = new Map<string, Item>();
  private readonly texts = new WeakMap<object, readonly [key: string, text: string]>();

  add(cluster: string, { changes, consequences }: ClusterDiff): void {
    for (const { fields, ...head } of changes) {
      const key = JSON.stringify(head);
      if (fields.length === 0) this.note(cluster, { key, head, isRoutine: false, text: '', of: undefined });
      for (const field of fields) {
        const [place, text] = this.textsOf(field);
        this.note(cluster, { key: `${key} ${place}`, head, isRoutine: field.routine === true, text, of: field });
      }
    }
    for (const consequence of consequences) {
      const clean = unmarked(consequence);
      const [key, text] = [JSON.stringify(identityOf(clean)), JSON.stringify(clean)];
      this.note(cluster, { key, isRoutine: false, text, of: clean });
    }
  }

  /** Returns the groups by severity, then by their number of clusters. */
  groups(): readonly Omit<DiffGroup, 'rings'>[] {
    const groups = new Groups();
    const items = [...this.known.values()];
    const placed = groupsOf(items.filter(({ head }) => head !== undefined));
    for (const [item, clusters] of placed) groups.add(item, clusters);
    for (const item of items.filter(({ head }) => head === undefined)) groups.add(item, groups.placeOf(item));
    return groups.results();
  }

  private note(cluster: string, { key, head, isRoutine, text, of }: Noted): void {
    const item: Item = this.known.get(key) ?? {
      ...(head === undefined ? {} : { head }),
      isRoutine,
      clusters: [],
      variants: new Map<string, Variant>(),
    };
    this.known.set(key, item);
    if (item.clusters.at(-1) !== cluster) item.clusters.push(cluster);
    const variant = item.variants.get(text) ?? { of, clusters: [] };
    item.variants.set(text, variant);
    if (variant.clusters.at(-1) !== cluster) variant.clusters.push(cluster);
  }

  /** Clusters share field objects, so each is serialized only once. */
  private textsOf(field: FieldDifference): readonly [key: string, text: string] {
    const known = this.texts.get(field);
    if (known !== undefined) return known;
    const { path, within, routine } = field;
    const texts = [JSON.stringify({ path, within, routine }), JSON.stringify(field)] as const;
    this.texts.set(field, texts);
    return texts;
  }
}

const REPORTED_BY = [
  'code',
  'object',
  'server',
  'crd',
  'chart',
  'namespace',
  'file',
  'side',
  'webhook',
  'setting',
  'effect',
  'mode',
] as const;

function identityOf(consequence: Consequence): object {
  const members = consequence as Readonly<Partial<Record<(typeof REPORTED_BY)[number], unknown>>>;
  return REPORTED_BY.map((member) => members[member] ?? null);
}

/** A smaller group joins a larger one with a related item. */
function groupsOf(items: readonly Item[]): ReadonlyMap<Item, readonly string[]> {
  const sets = new Map(items.map(({ clusters }) => [keyOf(clusters), clusters]));
  const bySet = new Map([...sets].map(([key, clusters]) => [key, new Set(clusters)]));
  const byTie = new Map<string, Set<string>>();
  for (const item of items) {
    for (const tie of tiesOf(item)) byTie.set(tie, (byTie.get(tie) ?? new Set()).add(keyOf(item.clusters)));
  }
  const larger = (item: Item): readonly string[] => {
    const keys = new Set(tiesOf(item).flatMap((tie) => [...(byTie.get(tie) ?? [])]));
    const found = [...keys].flatMap((key) => {
      const [set, clusters] = [bySet.get(key), sets.get(key)];
      if (set === undefined || clusters === undefined || set.size <= item.clusters.length) return [];
      return item.clusters.every((name) => set.has(name)) ? [clusters] : [];
    });
    return found.toSorted((a, b) => b.length - a.length || (keyOf(a) < keyOf(b) ? -1 : 1))[0] ?? item.clusters;
  };
  return new Map(items.map((item) => [item, larger(item)]));
}

function tiesOf({ head, isRoutine, variants }: Item): readonly string[] {
  if (isRoutine) return ['routine'];
  if (head === undefined) return [];
  return [...variants.values()].flatMap(({ of }) => {
    if (of === undefined || !('op' in of) || of.op === 'reworded' || of.op === 'reordered') return [];
    const step = [...of.path, ...(of.within ?? [])].at(-1);
    // An added or removed object is not related to others.
    if (step === undefined) return [];
    const sides = ['before' in of ? of.before : null, 'after' in of ? of.after : null];
    return [JSON.stringify([of.op, sides])];
  });
}

function keyOf(clusters: readonly string[]): string {
  return clusters.join('\n');
}

class Groups {
  private readonly groups = new Map<string, { readonly clusters: readonly string[]; readonly items: Item[] }>();
  private readonly byObject = new Map<string, Set<string>>();

  add(item: Item, clusters: readonly string[]): void {
    const key = keyOf(clusters);
    const group = this.groups.get(key) ?? { clusters, items: [] };
    this.groups.set(key, group);
    group.items.push(item);
    const { object, file = '' } = item.head ?? {};
    for (const name of [
      file,
      ...(object === undefined ? [] : [describeObject({ kind: object.kind, metadata: object })]),
    ]) {
      this.byObject.set(name, (this.byObject.get(name) ?? new Set()).add(key));
    }
  }

  /** Returns the clusters of the smallest group that contains a consequence's clusters and its object. */
  placeOf(item: Item): readonly string[] {
    if (this.groups.has(keyOf(item.clusters))) return item.clusters;
    const [first] = item.variants.values();
    const of = first?.of as { readonly object?: string; readonly file?: string; readonly server?: string } | undefined;
    const names = [of?.object, of?.file, of?.server === undefined ? undefined : `Server ${of.server}`];
    const ofObject = names.flatMap((name) => (name === undefined ? [] : [...(this.byObject.get(name) ?? [])]));
    const keys = ofObject.length > 0 || names.some((name) => name !== undefined) ? ofObject : [...this.groups.keys()];
    const found = keys.flatMap((key) => {
      const clusters = this.groups.get(key)?.clusters ?? [];
      const set = new Set(clusters);
      return item.clusters.every((name) => set.has(name)) ? [clusters] : [];
    });
    return found.toSorted((a, b) => a.length - b.length)[0] ?? item.clusters;
  }

  results(): readonly Omit<DiffGroup, 'rings'>[] {
    return [...this.groups.values()]
      .map(({ clusters, items }) => ({
        clusters,
        consequences: consequencesOf(items, clusters),
        changes: changesOf(items, clusters),
      }))
      .sort(
        (a, b) =>
          gravity(a) - gravity(b) ||
          b.clusters.length - a.clusters.length ||
          ((a.clusters[0] ?? '') < (b.clusters[0] ?? '') ? -1 : 1),
      );
  }
}

function gravity({ consequences: [first] }: Pick<DiffGroup, 'consequences'>): number {
  return first === undefined ? SEVERITIES.length : rankOf(first);
}

/** A changed trust anchor comes first, because it stops the whole mesh. */
function rankOf({ code, severity }: Consequence): number {
  return code === 'anchor-changed' ? -1 : SEVERITIES.indexOf(severity);
}

function consequencesOf(items: readonly Item[], clusters: readonly string[]): DiffGroup['consequences'] {
  const all = items
    .filter(({ head }) => head === undefined)
    .flatMap(({ variants }) =>
      [...variants.values()].map((variant) => ({ ...(variant.of as Consequence), ...someOf(variant, clusters) })),
    );
  return all.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function changesOf(items: readonly Item[], clusters: readonly string[]): readonly GroupChange[] {
  const changes = grouped(
    items.flatMap(({ head, ...item }) => (head === undefined ? [] : [[JSON.stringify(head), { head, ...item }]])),
  );
  return [...changes.values()]
    .map((same): GroupChange => {
      const having = new Set(same.flatMap((item) => item.clusters));
      const own = clusters.filter((name) => having.has(name));
      const fields = same.flatMap((item) => fieldsOf(item, own));
      return { ...same[0].head, ...someOf({ clusters: own }, clusters), fields };
    })
    .sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)));
}

/** Routine changes, such as checksums, count as one change although their values differ. */
function fieldsOf({ isRoutine, clusters: all, variants }: Item, clusters: readonly string[]): readonly GroupField[] {
  const [first, ...others] = variants.values();
  if (first?.of === undefined) return [];
  if (isRoutine && others.length > 0) {
    return [{ ...varied(first.of as FieldDifference), ...someOf({ clusters: all }, clusters) }];
  }
  return [first, ...others].map((variant) => ({
    ...(variant.of as FieldDifference),
    ...someOf(variant, clusters),
  }));
}

function varied(field: FieldDifference): FieldDifference {
  const sides = Object.keys(field).filter((key) => key === 'before' || key === 'after');
  return { ...field, ...Object.fromEntries(sides.map((side) => [side, OF_EACH])), shortened: true } as FieldDifference;
}

function someOf(
  { clusters }: Pick<Variant, 'clusters'>,
  all: readonly string[],
): { readonly clusters?: readonly string[] } {
  return clusters.length === all.length ? {} : { clusters };
}
