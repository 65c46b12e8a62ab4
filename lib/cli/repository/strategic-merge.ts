import { isMap, type Value, type Values } from '#base/values';

/** The merge keys of lists in built-in kinds. A patch replaces lists without a merge key. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  conditions: ['type'],
  containers: ['name'],
  env: ['name'],
  ephemeralContainers: ['name'],
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  initContainers: ['name'],
  matchConditions: ['name'],
  ownerReferences: ['uid'],
  ports: ['containerPort', 'protocol'],
  resourceClaims: ['name'],
  schedulingGates: ['name'],
  secrets: ['name'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  variables: ['name'],
  volumeDevices: ['devicePath'],
  volumeMounts: ['mountPath'],
  volumes: ['name'],
  webhooks: ['name'],
};

const KEYS_OF_KIND: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  EndpointSlice: { ports: [] },
  Service: { ports: ['port', 'protocol'] },
};

/** The API server's defaults for missing keys. */
const DEFAULTS: Values = { protocol: 'TCP' };

/** Lists of strings to which a patch adds items. */
const SETS: ReadonlySet<string> = new Set(['finalizers']);

/**
 * Applies a strategic merge patch to an object of a built-in kind.
 *
 * @throws TypeError for an unsupported directive, and for an item without its key
 */
export function strategicMerge(data: Values, patch: Values): Values {
  return mergedMap(data, patch, String(data.kind));
}

function mergedMap(before: Values, patch: Values, kind: string): Values {
  const { $patch, ...rest } = patch;
  if ($patch !== undefined && $patch !== 'replace' && $patch !== 'merge') throw new TypeError('a directive');
  const merged = new Map($patch === 'replace' ? [] : Object.entries(before));
  for (const [field, value] of Object.entries(rest)) {
    if (field.startsWith('$')) throw new TypeError('a directive');
    if (value === null || isDeleted(value)) merged.delete(field);
    else merged.set(field, mergedValue(merged.get(field), value, { field, kind }));
  }
  return Object.fromEntries(merged);
}

interface Field {
  readonly field: string;
  readonly kind: string;
}

function mergedValue(before: Value | undefined, value: Value | undefined, at: Field): Value | undefined {
  if (isMap(value)) return mergedMap(isMap(before) ? before : {}, value, at.kind);
  return Array.isArray(value) ? mergedList(Array.isArray(before) ? before : [], value, at) : value;
}

function mergedList(before: readonly Value[], patch: readonly Value[], { field, kind }: Field): Value[] {
  if (SETS.has(field)) return [...new Set([...before, ...patch])];
  const items = patch.filter((item) => !(isMap(item) && item.$patch === 'replace' && Object.keys(item).length === 1));
  const keys = KEYS_OF_KIND[kind]?.[field] ?? (Object.hasOwn(KEYS, field) ? (KEYS[field] ?? []) : []);
  const whole = (item: Value) => (isMap(item) ? mergedMap({}, item, kind) : item);
  if (keys.length === 0 || items.length < patch.length) return items.map(whole);
  const all = new Map(before.map((item, index) => [identity(item, keys) ?? `${index}`, item]));
  const added: Value[] = [];
  for (const item of items) {
    const key = identity(item, keys);
    if (key === undefined || !isMap(item)) throw new TypeError('an item without its key');
    const own = all.get(key);
    if (isDeleted(item)) all.delete(key);
    else if (isMap(own)) all.set(key, mergedMap(own, item, kind));
    else added.push(whole(item));
  }
  // Kustomize puts added items first.
  return [...added, ...all.values()];
}

/** Returns undefined for an item without the first key. */
function identity(item: Value, keys: readonly string[]): string | undefined {
  const [first = ''] = keys;
  if (!isMap(item) || item[first] === undefined || item[first] === null) return undefined;
  return JSON.stringify(keys.map((key) => item[key] ?? DEFAULTS[key] ?? null));
}

function isDeleted(value: Value | undefined): boolean {
  return isMap(value) && value.$patch === 'delete';
}
