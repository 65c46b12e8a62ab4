import { isMap, type Value } from '#base/values';
import { pathText, valueChanges } from './value-changes';

/** A changed field of an object. Without `before` it is added, without `after` removed. */
export interface FieldChange {
  /** Dotted path; items of lists by their names: `spec.containers[policy].args`. */
  readonly path: string;
  readonly before?: Value;
  readonly after?: Value;
  /** The earlier path of a container that moved to another list. */
  readonly movedFrom?: string;
}

/** Several writers share annotations and labels: an absent map equals an empty one. */
const OF_MANY = /\bmetadata\.(?:annotations|labels)$/;

/** Returns the fields in which two values differ; an absent map counts as one field. */
export function fieldChanges(before: Value | undefined, after: Value | undefined, path = ''): readonly FieldChange[] {
  return valueChanges(before, after).flatMap((change) => {
    const below = pathText(change.path);
    const place = [path, below].filter((text) => text !== '').join(below.startsWith('[') ? '' : '.');
    return change.op === 'reordered' ? [] : fieldsOf(place, change);
  });
}

type Sides = { readonly before?: Value; readonly after?: Value };

/** Splits an added or removed map of annotations or labels into one change for each entry. */
function fieldsOf(path: string, { before, after }: Sides): readonly FieldChange[] {
  const [map, side] = before === undefined ? [after, 'after'] : [before, 'before'];
  if ((before === undefined || after === undefined) && OF_MANY.test(path) && isMap(map)) {
    return Object.entries(map).map(([key, value]) => ({ path: `${path}.${key}`, [side]: value ?? null }));
  }
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

/** The path of a container in a pod. Its groups: the pod, the list, and the container's name in brackets. */
const CONTAINER = /^(.*\b)(containers|initContainers)(\[[^[\]]+\])$/;

/**
 * Replaces the removal and the addition of a container by a move and the changes in the container. Proxies move from
 * `containers` to `initContainers` when they become native sidecars.
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
