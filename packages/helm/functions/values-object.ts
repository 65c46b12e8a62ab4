import { define } from '../go/define';
import { isGoObject } from '../go/reflect';
import type { GoMethod, GoObject, GoValue } from '../go/values';
import { FunctionError } from '../go/values';
import { writeYaml } from '../yaml/write-yaml';
import { isMap } from './kinds';

const VALUES_TYPE = 'chartutil.Values';

/**
 * Returns `.Values`, or the map of all data of a template: a map with its own Go type and methods
 * (helm.sh/helm/v3/pkg/chartutil/values.go). Functions that require a `map[string]interface {}`, such as `dig`, refuse
 * it, so charts write `.Values.AsMap`.
 */
export function valuesObject(data: Map<string, GoValue>): GoObject {
  return {
    goType: VALUES_TYPE,
    goKind: 'map',
    data,
    fields: NO_FIELDS,
    methods: methodsOf(data),
    withData: (copy) => valuesObject(isMap(copy) ? copy : new Map()),
  };
}

const NO_FIELDS: ReadonlyMap<string, GoValue> = new Map();

function methodsOf(data: Map<string, GoValue>): ReadonlyMap<string, GoMethod> {
  return new Map<string, GoMethod>([
    // For an empty map, Helm returns a new map: entries that a template sets in it are lost.
    ['AsMap', define([], () => (data.size === 0 ? new Map() : data))],
    ['PathValue', define(['string'], ([path]) => valueAt(data, path))],
    ['Table', define(['string'], ([path]) => valuesObject(tableAt(data, path.split('.'))))],
    ['YAML', define([], (_, budget) => writeYaml(data, budget))],
  ]);
}

/** Returns the map at a path, which may lead through `.Values`. */
function tableAt(data: Map<string, GoValue>, path: readonly string[]): Map<string, GoValue> {
  return path.reduce((table, key) => {
    const next = table.get(key);
    const inside = isGoObject(next) && next.goType === VALUES_TYPE ? next.data : next;
    if (!isMap(inside)) throw new FunctionError(`"${key}" is not a table`);
    return inside;
  }, data);
}

function valueAt(data: Map<string, GoValue>, path: string): GoValue {
  if (path === '') throw new FunctionError('YAML path cannot be empty');
  const tables = path.split('.');
  const key = tables.pop() ?? '';
  const missing = new FunctionError(`"${key}" is not a value`);
  let table: Map<string, GoValue>;
  try {
    table = tableAt(data, tables);
  } catch (error) {
    throw error instanceof FunctionError ? missing : error;
  }
  if (!table.has(key) || isMap(table.get(key))) throw missing;
  return table.get(key);
}
