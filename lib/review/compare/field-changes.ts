import { isMap, type Value } from '../../kubernetes/values';
import { pathText, valueChanges } from './value-changes';

/** A field of an object that is not as it was. Without `before` it is new, without `after` it is gone. */
export interface FieldChange {
  /** Dotted path; items of lists by their names: `spec.containers[policy].args`. */
  readonly path: string;
  readonly before?: Value;
  readonly after?: Value;
  /** The path that it had before, of a container that is in another list now. */
  readonly movedFrom?: string;
}

/** Maps that many write to: one that is not there is as good as an empty one. */
const OF_MANY = /\bmetadata\.(?:annotations|labels)$/;

/** The fields in which two values differ; all of one that is not there at all as one. */
export function fieldChanges(before: Value | undefined, after: Value | undefined, path = ''): readonly FieldChange[] {
  return valueChanges(before, after).flatMap((change) => {
    const below = pathText(change.path);
    const place = [path, below].filter((text) => text !== '').join(below.startsWith('[') ? '' : '.');
    return change.op === 'reordered' ? [] : fieldsOf(place, change);
  });
}

type Sides = { readonly before?: Value; readonly after?: Value };

/** One annotation more is no news of all of them. */
function fieldsOf(path: string, { before, after }: Sides): readonly FieldChange[] {
  const [map, side] = before === undefined ? [after, 'after'] : [before, 'before'];
  if ((before === undefined || after === undefined) && OF_MANY.test(path) && isMap(map)) {
    return Object.entries(map).map(([key, value]) => ({ path: `${path}.${key}`, [side]: value ?? null }));
  }
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

/** A path that ends with a container of a pod: what stands before its list, the list, and its name. */
const CONTAINER = /^(.*\b)(containers|initContainers)(\[[^[\]]+\])$/;

/**
 * The same changes, in which a container that goes from one list of a pod and comes in the other is one that moves, with
 * what changes in it: so proxies become native sidecars.
 */
export function withMoves(changes: readonly FieldChange[]): readonly FieldChange[] {
  const gone = new Map(changes.flatMap((change) => (change.after === undefined ? [[change.path, change]] : [])));
  const moved = new Set<FieldChange>();
  const found = changes.flatMap((change) => {
    const [, pod = '', list, name = ''] = change.before === undefined ? (CONTAINER.exec(change.path) ?? []) : [];
    const from = list && gone.get(`${pod}${list === 'containers' ? 'initContainers' : 'containers'}${name}`);
    if (!from) return [change];
    moved.add(from);
    return [{ path: change.path, movedFrom: from.path }, ...fieldChanges(from.before, change.after, change.path)];
  });
  return found.filter((change) => !moved.has(change));
}
