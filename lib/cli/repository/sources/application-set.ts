import { isMap, mergeValues, type Value, type Values, valueAt } from '#base/values';
import { parseValues } from '#base/values-document';
import { listAt, mapAt, text } from './source';

/** An element of the lists of an ApplicationSet. */
export interface SetElement {
  /** The cluster of the element, or another distinctive name; absent for a single element. */
  readonly name?: string;
  /** Whether the name is the name of a cluster. */
  readonly isCluster?: boolean;
  /** The ApplicationSet with the values of this element alone. */
  readonly object: Values;
}

/** Maximum number of elements that are read separately. */
const MAX_ELEMENTS = 100;

/**
 * Returns an ApplicationSet for each element of its lists, filled in. Parameters of other generators, such as the
 * clusters of Argo CD, stay templates.
 */
export function elementsOf(object: Values): readonly SetElement[] {
  const spec = mapAt(object, 'spec');
  const all = listAt(spec, 'generators').flatMap((generator) => parametersOf(isMap(generator) ? generator : {}, 0));
  const filled = (parameters: Values): Values => ({
    ...object,
    spec: { ...spec, template: filledIn(spec.template ?? null, parameters) },
  });
  const [only, second] = all;
  if (only !== undefined && second === undefined) return [{ object: filled(only) }];
  const { names, isCluster } = namesOf(all);
  if (names.length === 0 || all.length > MAX_ELEMENTS) return [{ object }];
  return all.map((parameters, index) => ({ object: filled(parameters), name: names[index] ?? '', isCluster }));
}

/** A matrix may contain one other matrix. */
const MAX_DEPTH = 2;

/** Returns the elements of a generator; one empty element if the files do not contain them. */
function parametersOf(generator: Values, depth: number): readonly Values[] {
  const known = generator.template === undefined && generator.selector === undefined && depth <= MAX_DEPTH;
  const elements = elementsIn(mapAt(generator, 'list'));
  if (known && elements.length > 0 && elements.every(isMap)) return elements as readonly Values[];
  const inside = known ? listAt(mapAt(generator, 'matrix'), 'generators').filter(isMap) : [];
  const product = inside
    .map((one) => parametersOf(one, depth + 1))
    .reduce<readonly Values[]>(
      (all, some) => (all.length * some.length > MAX_ELEMENTS ? [{}] : pairs(all, some)),
      [ownValues(generator)],
    );
  return product.length === 0 ? [{}] : product;
}

function elementsIn(list: Values): readonly Value[] {
  const lines = text(list.elementsYaml)?.replaceAll(/^/gm, '  ');
  try {
    const inText = lines === undefined ? [] : listAt(parseValues(`elements:\n${lines}`), 'elements');
    return [...listAt(list, 'elements'), ...inText];
  } catch {
    // The text is a template.
    return [];
  }
}

/** Returns the values that a generator adds to each of its elements. */
function ownValues(generator: Values): Values {
  const values = Object.values(generator).flatMap((of) => (isMap(of) && isMap(of.values) ? [of.values] : []));
  return values.length === 0 ? {} : { values: values.reduce(mergeValues) };
}

function pairs(all: readonly Values[], some: readonly Values[]): readonly Values[] {
  return all.flatMap((one) => some.map((other) => mergeValues(one, other)));
}

const CLUSTER_KEYS = ['cluster', 'clusterName'];

/** Returns the clusters of elements, or else the texts of the first key with a different text in each element. */
function namesOf(all: readonly Values[]): { readonly names: readonly string[]; readonly isCluster: boolean } {
  const column = (key: string) =>
    all.flatMap((one) => text(one[key]) ?? []).filter((name) => !/[/\s]|^\.+$|\{\{/.test(name));
  const clusters = CLUSTER_KEYS.map(column).find(({ length }) => length === all.length);
  if (clusters !== undefined) return { names: clusters, isCluster: true };
  const others = ['name', ...Object.keys(all[0] ?? {})].map(column);
  return { names: others.find((names) => new Set(names).size === all.length) ?? [], isCluster: false };
}

/** `{{ .name }}`, `{{name}}` and `{{ index . "name" }}`. */
const PARAMETER = /\{\{-?\s*(?:\.?([\w-]+(?:\.[\w-]+)*)|index\s+\.\s+"([^"]+)")\s*-?\}\}/g;

function filledIn(value: Value, parameters: Values): Value {
  if (typeof value === 'string') {
    return value.replace(PARAMETER, (template, path?: string, key?: string) => {
      const given = key === undefined ? valueAt(parameters, path ?? '') : parameters[key];
      return typeof given === 'object' || given === undefined ? template : String(given);
    });
  }
  if (Array.isArray(value)) return (value as readonly Value[]).map((item) => filledIn(item, parameters));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filledIn(member ?? null, parameters)]));
}
