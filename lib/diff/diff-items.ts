import { isSameValue } from '../compare/same-value';
import { unmarked } from '../problems/sealed-data';
import type { Value } from '../releases/values';
import type { ClusterDiff } from './cluster-diff';
import type { Consequence } from './consequences/consequence';
import type { Change, DiffGroup, FieldDifference } from './model';
import { SEVERITIES } from './severity';

/** A change without its fields. */
type ChangeHead = Omit<Change, 'fields'>;

/** A field of a change, a change without fields, or a consequence. */
type Item = { readonly head: ChangeHead; readonly field?: FieldDifference } | { readonly consequence: Consequence };

/** The text that stands for values of which each cluster has its own. */
const OF_EACH = '(each cluster has its own)';

/** Fields of changes and consequences, each once, with the clusters that have it. */
export class DiffItems {
  private readonly known = new Map<string, { item: Item; readonly clusters: string[] }>();
  private readonly texts = new WeakMap<object, string>();

  add(cluster: string, { changes, consequences }: ClusterDiff): void {
    for (const { fields, ...head } of changes) {
      const key = JSON.stringify(head);
      if (fields.length === 0) this.note(cluster, key, { head });
      for (const field of fields) this.note(cluster, `${key} ${this.keyOf(field)}`, { head, field });
    }
    for (const consequence of consequences) {
      const clean = unmarked(consequence);
      this.note(cluster, JSON.stringify(clean), { consequence: clean });
    }
  }

  /** The items by the clusters that have them: those of most clusters first. */
  groups(): readonly Omit<DiffGroup, 'rings'>[] {
    const groups = new Map<string, Group>();
    for (const { item, clusters } of this.known.values()) {
      const key = clusters.join('\n');
      const group = groups.get(key) ?? new Group(clusters);
      group.add(item);
      groups.set(key, group);
    }
    return [...groups.values()]
      .map((group) => group.result())
      .sort(
        (a, b) => b.clusters.length - a.clusters.length || ((a.clusters[0] ?? '') < (b.clusters[0] ?? '') ? -1 : 1),
      );
  }

  private note(cluster: string, key: string, item: Item): void {
    const found = this.known.get(key);
    if (found === undefined) {
      this.known.set(key, { item, clusters: [cluster] });
      return;
    }
    if (found.clusters.at(-1) !== cluster) found.clusters.push(cluster);
    if (!isSameItem(found.item, item)) found.item = varied(found.item);
  }

  /** Routine changes, checksums for instance, are one whatever their values. Fields may be shared by clusters. */
  private keyOf(field: FieldDifference): string {
    const known = this.texts.get(field);
    if (known !== undefined) return known;
    const { op, path, within, routine } = field;
    const text = routine ? JSON.stringify({ op, path, within, routine }) : JSON.stringify(field);
    this.texts.set(field, text);
    return text;
  }
}

/** Tells items of one key that are equal: all but routine changes are. */
function isSameItem(one: Item, other: Item): boolean {
  if (!('field' in one) || !('field' in other) || !one.field?.routine) return true;
  return one.field === other.field || isSameValue(one.field as unknown as Value, other.field as unknown as Value);
}

function varied(item: Item): Item {
  if (!('field' in item) || item.field === undefined) return item;
  const sides = Object.keys(item.field).filter((key) => key === 'before' || key === 'after');
  const own = Object.fromEntries(sides.map((side) => [side, OF_EACH]));
  return { ...item, field: { ...item.field, ...own, shortened: true } as FieldDifference };
}

/** The items of the same clusters. */
class Group {
  private readonly changes = new Map<string, { readonly head: ChangeHead; readonly fields: FieldDifference[] }>();
  private readonly consequences: Consequence[] = [];

  constructor(private readonly clusters: readonly string[]) {}

  add(item: Item): void {
    if ('consequence' in item) {
      this.consequences.push(item.consequence);
      return;
    }
    const key = JSON.stringify(item.head);
    const change = this.changes.get(key) ?? { head: item.head, fields: [] };
    if (item.field !== undefined) change.fields.push(item.field);
    this.changes.set(key, change);
  }

  result(): Omit<DiffGroup, 'rings'> {
    const changes = [...this.changes.values()].map(({ head, fields }) => ({ ...head, fields }));
    const consequences = SEVERITIES.flatMap((severity) => this.consequences.filter((one) => one.severity === severity));
    return {
      clusters: this.clusters,
      consequences,
      changes: changes.sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file))),
    };
  }
}
