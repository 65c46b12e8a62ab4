import type { ApiObject } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { listItems } from '#base/list-items';
import { isBuiltIn } from '#kubernetes/objects/api-groups';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { OBJECT_CHECKS } from '../../checks/findings';

/** An item of a list: an object, which may be incomplete, or a problem. */
export type ListItem = {
  /** The place of the item in the list: `items[2]`. */
  readonly place: string;
} & ({ readonly object: KubernetesObject } | { readonly problem: Problem });

/** What a chart of cdk8s adds to each of its objects. */
export type ChartDefaults = Pick<ApiObject['chart'], 'namespace' | 'labels'>;

/**
 * Returns the items of a list, which Argo CD applies instead of the list; undefined if the object is not a list. The
 * list's own metadata has no effect.
 *
 * @param defaults - namespace and labels of the chart, which its objects get
 */
export function expandList(list: KubernetesObject, defaults: ChartDefaults): readonly ListItem[] | undefined {
  if (!`${list.kind}`.endsWith('List')) return undefined;
  const items = listItems(list);
  if (items === undefined) {
    if (typeof list.apiVersion !== 'string' || !isBuiltIn(list)) return undefined;
    const problem = OBJECT_CHECKS.listRefused({ kind: list.kind, value: JSON.stringify(list.items) ?? 'missing' });
    return [{ place: 'items', problem }];
  }
  return items.flatMap((item, index): readonly ListItem[] => {
    const place = `items[${index}]`;
    if (!isObject(item)) {
      const value = JSON.stringify(item) ?? 'missing';
      return [{ place, problem: OBJECT_CHECKS.listRefusedItem({ kind: list.kind, place, value }) }];
    }
    const object = withDefaults({ ...typeIn(list), ...item } as unknown as KubernetesObject, defaults);
    const inner = expandList(object, defaults);
    return inner?.map((nested) => ({ ...nested, place: `${place}.${nested.place}` })) ?? [{ place, object }];
  });
}

/** The API server omits the type of items in a list of one kind. */
function typeIn({ apiVersion, kind }: KubernetesObject): object {
  return kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
}

function withDefaults(object: KubernetesObject, { namespace, labels }: ChartDefaults): KubernetesObject {
  const { metadata } = object as { readonly metadata?: unknown };
  const own: Partial<KubernetesObject['metadata']> = isObject(metadata) ? metadata : {};
  const common = Object.keys(labels).length === 0 ? {} : { labels: { ...labels, ...own.labels } };
  const place = namespace === undefined ? {} : { namespace };
  return { ...object, metadata: { ...place, ...own, ...common } as KubernetesObject['metadata'] };
}
