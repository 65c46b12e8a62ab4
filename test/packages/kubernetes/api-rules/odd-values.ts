import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { type Schema, schemaAddress, schemaAt, schemaReference } from '#kubernetes/schemas/schema-store';
import type { Random } from './random';
import { EXAMPLES } from './samples';

/** A valid object with one odd value, and the path of the value. */
export interface OddObject {
  readonly object: KubernetesObject;
  readonly path: readonly (string | number)[];
  readonly odd: unknown;
}

/** Fields that other tests cover (names), or that neither a prop nor a renderer writes. */
const SKIPPED = new Set(['apiVersion', 'kind', 'name', 'namespace', 'generateName', 'ownerReferences', 'finalizers']);

type Node = Record<string, unknown>;

/** Returns a copy of a sample with one odd value at a random place. */
export function oddObject(sample: KubernetesObject, random: Random, isSkipped: (path: string) => boolean): OddObject {
  for (;;) {
    const object = structuredClone(sample) as unknown as Node;
    const mutation = new Mutation(random);
    const address = schemaAddress(`${sample.apiVersion}/${sample.kind}`) ?? '';
    const odd = mutation.into(object, schemaAt(address));
    if (odd === undefined || isSkipped(mutation.path.join('.'))) continue;
    return { object: object as unknown as KubernetesObject, path: mutation.path, odd: odd.value };
  }
}

interface Shape {
  readonly schema: Schema;
  /** The name of the definition, if the schema is one. */
  readonly name?: string;
}

/** A value by the map or list that contains it. */
interface Slot {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
}

type Odd = { readonly value: unknown } | undefined;

function resolve(schema: Schema): Shape {
  const reference = schemaReference(schema);
  return reference === undefined ? { schema } : { schema: schemaAt(reference), name: reference.split('#')[1] };
}

/** Descends into an object to a random place, and writes an odd value. */
class Mutation {
  readonly path: (string | number)[] = [];

  constructor(private readonly random: Random) {}

  into(node: Node, schema: Schema): Odd {
    const { path, random } = this;
    const isMetadata = path.length === 1 && path[0] === 'metadata';
    const known = Object.keys(schema.properties ?? {}).filter(
      (key) => !(SKIPPED.has(key) && (path.length === 0 || isMetadata)),
    );
    const set = known.filter((key) => key in node);
    if (known.length === 0) return undefined;
    const key = set.length > 0 && random.chance(0.6) ? random.pick(set) : random.pick(known);
    path.push(key);
    if (key in node && key !== 'metadata' && random.chance(0.05)) {
      delete node[key];
      return { value: '(removed)' };
    }
    return this.value({ holder: node, key }, resolve(schema.properties?.[key] ?? {}));
  }

  private value(slot: Slot, shape: Shape): Odd {
    const types = [shape.schema.type ?? []].flat();
    if (types.includes('array')) return this.list(slot, shape.schema);
    if (!types.includes('object')) return put(slot, oddScalar(types, shape.schema, this.random));
    if (typeof shape.schema.additionalProperties === 'object') return this.map(slot, shape.schema.additionalProperties);
    return this.object(slot, shape);
  }

  private object(slot: Slot, { schema, name }: Shape): Odd {
    const { random } = this;
    const { holder, key } = slot;
    if (key !== 'metadata' && random.chance(0.06)) return put(slot, {});
    if (key !== 'metadata' && random.chance(0.02)) return put(slot, 'odd');
    if (typeof holder[key] !== 'object' || holder[key] === null) holder[key] = example(schema, name);
    if (random.chance(0.05)) return { value: '(added)' };
    return this.into(holder[key] as Node, schema);
  }

  private list(slot: Slot, schema: Schema): Odd {
    const { random } = this;
    if (random.chance(0.05)) return put(slot, []);
    const before = slot.holder[slot.key];
    const list = (Array.isArray(before) ? before : []) as unknown[];
    slot.holder[slot.key] = list;
    const item = resolve(schema.items ?? {});
    if (list.length > 0 && random.chance(0.08)) {
      list.push(structuredClone(random.pick(list)));
      return { value: '(repeated)' };
    }
    if (list.length === 0 || random.chance(0.25)) list.push(exampleOf(item));
    const index = random.chance(0.5) ? list.length - 1 : Math.floor(random.next() * list.length);
    this.path.push(index);
    return this.value({ holder: list as unknown as Slot['holder'], key: index }, item);
  }

  private map(slot: Slot, value: Schema): Odd {
    const { random } = this;
    const before = slot.holder[slot.key];
    const map = (typeof before === 'object' && before !== null ? before : {}) as Node;
    slot.holder[slot.key] = map;
    const keys = Object.keys(map);
    const shape = resolve(value);
    if (random.chance(0.1)) return put(slot, {});
    if (keys.length > 0 && random.chance(0.5)) {
      const chosen = random.pick(keys);
      this.path.push(chosen);
      return this.value({ holder: map, key: chosen }, shape);
    }
    const odd = random.pick(TEXTS);
    this.path.push(odd);
    map[odd] = exampleOf(shape);
    return { value: odd };
  }
}

function put({ holder, key }: Slot, value: unknown): Odd {
  holder[key] = value;
  return { value };
}

/** Returns a value that has the required fields of its type. */
function example(schema: Schema, name: string | undefined): unknown {
  if (name !== undefined && Object.hasOwn(EXAMPLES, name)) return structuredClone(EXAMPLES[name]);
  const required = schema.required ?? [];
  return Object.fromEntries(required.map((key) => [key, exampleOf(resolve(schema.properties?.[key] ?? {}))]));
}

function exampleOf({ schema, name }: { readonly schema: Schema; readonly name?: string }): unknown {
  const types = [schema.type ?? []].flat();
  if (schema.enum !== undefined) return schema.enum.find((value) => value !== null && value !== '');
  if (types.includes('array')) return [];
  if (types.includes('object')) return example(schema, name);
  if (types.includes('boolean')) return true;
  if (types.includes('integer')) return 1;
  return schema.format === 'byte' ? 'YQ==' : schema.format === 'quantity' ? '1' : 'a';
}

const LONG = 'x'.repeat(64);
const VERY_LONG = `${'x'.repeat(62)}.`.repeat(4).slice(0, 254);

const TEXTS: readonly string[] = [
  ...['', ' ', 'a', 'b', 'A', 'a b', 'a/b', 'a_b', 'a.b', 'a..b', '-a', 'a-', '.a', 'ä', '😀', 'a\nb', '1', '1a', '0'],
  ...['*', '*.a', '*.a.b', '*/*', '..', '../a', '..a', '/', '/a', '/a/../b', '//', 'a/b/c'],
  ...[LONG.slice(1), LONG, VERY_LONG.slice(0, 253).replace(/\.$/, 'x'), VERY_LONG],
  ...['example.com/a', 'Example.com/A', 'example.com/', `example.com/${LONG}`],
  ...['25%', '0%', '100%', '150%', '-1%', '1.5%', 'None'],
  ...[
    '1.2.3.4',
    '01.2.3.4',
    '127.0.0.1',
    '10.0.0.0/8',
    '10.0.0.1/33',
    '10.1.2.0/24',
    '::1',
    'fd00::/8',
    'fe80::1%eth0',
  ],
  ...['100m', '1Gi', '-1', '1e3', 'true', 'constructor', '__proto__x', 'http', 'main', 'init', 'config'],
  ...['https://example.com/', 'http://example.com/', 'https://user@example.com/?a=b', 'YQ==', 'YQ'],
  ...['cpu', 'memory', 'hugepages-2Mi', 'kubernetes.io/a', 'limits.cpu', 'requests.memory'],
  ...['metadata.name', "metadata.labels['a']", "metadata.annotations['A b']", 'status.podIP'],
  ...['Always', 'Never', 'In', 'Exists', 'Localhost', 'ClientIP', 'Local', 'v1', 'v1beta1', 'Deny', 'Europe/Zurich'],
  ...['Local', 'kubernetes.io/tls', 'rbac.authorization.k8s.io', 'aaaaaaaaaaaaaaaa', 'a--b'],
];

const NUMBERS: readonly number[] = [
  ...[-1, 0, 1, 2, 3, 10, 30, 31, 80, 100, 101, 511, 512, 599, 600, 601, 1001, 20_001, 65_535, 65_536, 86_401, 100_001],
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53, 1e19, 1e20, 1e21, 1.5],
];

const QUANTITIES: readonly (string | number)[] = [
  ...['0', '1', '-1', '100m', '1Gi', '0.5', '.5', '5.', '1e3', '1E', '1Ki', '1 Gi', '1gi', 'abc', '', '1.5m', '-100m'],
  ...['64M', 0, 1, 0.5, -1, 1e21, '2', '10Mi', '1Ti'],
];

function oddScalar(types: readonly string[], schema: Schema, random: Random): unknown {
  if (random.chance(0.02)) return random.pick([true, 'odd', 7, {}, []]);
  // API servers replace an empty string by the default of some enumerations; the library refuses it.
  if (schema.enum !== undefined) return random.chance(0.8) ? random.pick(schema.enum) : random.pick(TEXTS.slice(1));
  if (schema.format === 'quantity') return random.pick(QUANTITIES);
  if (types.includes('boolean')) return random.pick([true, false]);
  if (types.includes('integer') && types.includes('string'))
    return random.chance(0.5) ? random.pick(NUMBERS) : random.pick(TEXTS);
  if (types.includes('integer') || types.includes('number')) return random.pick(NUMBERS);
  return random.pick(TEXTS);
}
