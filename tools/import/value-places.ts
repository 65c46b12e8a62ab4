import { isMap, type Value, type Values } from '#base/values';
import { isChanged, type StoredValues, withChanges } from '#linkerd/releases/chart-defaults';
import type { Definitions, JsonSchema } from './json-schema';
import type { Files } from './schema-files';

/** A place in the values of one release: where the type of a member is used. */
export interface ValuePlace {
  readonly release: string;
  /** The keys that lead to the place, joined with dots. */
  readonly path: string;
  /** Whether the value is a map whose members have places, and whether its type is inline (own) or shared. */
  readonly members: 'none' | 'own' | 'shared';
  /** Absent if the chart has no default. */
  readonly value?: Value;
  /** The value with high availability, if it differs. */
  readonly whenAvailable?: Value;
}

/** The places of each member of a type, by `module#Type#key.key`. */
export type Places = ReadonlyMap<string, readonly ValuePlace[]>;

/** The key of a member of a type. */
export const memberKey = (module: string, type: string, path: readonly string[]): string =>
  `${module}#${type}#${path.join('.')}`;

/**
 * Finds each use of the members of types in the values of charts. A chart and its releases share types, so one member
 * can stand for several values with several defaults.
 */
export function valuePlaces(files: Files): Places {
  const index = JSON.parse(files.get('index.json') ?? '{}') as Readonly<Record<string, string>>;
  const places = new Map<string, ValuePlace[]>();
  const definitionsOf = reader(files);
  for (const [key, address] of Object.entries(index)) {
    const [, chart = '', release = ''] = /^charts\/([^/]+)\/(.+)$/.exec(key) ?? [];
    if (chart === '') continue;
    const [module = '', type = ''] = address.split('#');
    const [values, available] = ['defaults', 'ha'].map((suffix) => storedAt(files, chart, release, suffix));
    new Walk({ definitionsOf, places, release, values: values ?? {}, available: available ?? {} }).type(
      module,
      type,
      [],
    );
  }
  return places;
}

function storedAt(files: Files, chart: string, release: string, suffix: string): Values | undefined {
  const text = files.get(`charts/${chart}/${release}.${suffix}.json`);
  if (text === undefined) return undefined;
  const stored = JSON.parse(text) as StoredValues;
  if (!isChanged(stored)) return stored;
  return withChanges(storedAt(files, chart, stored.base, suffix) ?? {}, stored.changes);
}

interface Facts {
  readonly definitionsOf: (module: string) => Definitions;
  readonly places: Map<string, ValuePlace[]>;
  readonly release: string;
  readonly values: Values;
  readonly available: Values;
}

class Walk {
  constructor(private readonly facts: Facts) {}

  /** Visits a definition that is used at a place. Returns whether it has members. */
  type(module: string, type: string, at: readonly string[]): boolean {
    const schema = this.facts.definitionsOf(module)[type];
    return schema !== undefined && this.members(schema, { module, type, path: [] }, at);
  }

  private members(schema: JsonSchema, member: Member, at: readonly string[]): boolean {
    const [module = '', type = ''] = (schema.$ref ?? '').split('#/definitions/');
    // Types of Kubernetes have no defaults of a chart. No type of a chart contains itself, so the recursion ends.
    if (type !== '' && (module === '' || module.startsWith('charts/'))) {
      return this.type(module === '' ? member.module : module, type, at);
    }
    const properties = Object.entries(schema.properties ?? {});
    for (const [name, child] of properties) {
      const inner = { ...member, path: [...member.path, name] };
      const hasMembers = this.members(child, inner, [...at, name]);
      const members = child.$ref === undefined ? 'own' : 'shared';
      this.note(inner, [...at, name], hasMembers ? members : 'none');
    }
    return properties.length > 0;
  }

  private note({ module, type, path }: Member, at: readonly string[], members: ValuePlace['members']): void {
    const { places, release, values, available } = this.facts;
    const key = memberKey(module, type, path);
    const found = places.get(key) ?? [];
    places.set(key, found);
    const value = valueAt(values, at);
    const whenAvailable = valueAt(available, at);
    const isOther = whenAvailable !== undefined && JSON.stringify(whenAvailable) !== JSON.stringify(value);
    found.push({ release, path: at.join('.'), members, value, ...(isOther && { whenAvailable }) });
  }
}

interface Member {
  readonly module: string;
  readonly type: string;
  readonly path: readonly string[];
}

function reader(files: Files): (module: string) => Definitions {
  const read = new Map<string, Definitions>();
  return (module) => {
    const text = files.get(`${module}.schema.json`) ?? '{"definitions":{}}';
    const definitions = read.get(module) ?? (JSON.parse(text) as { definitions: Definitions }).definitions;
    read.set(module, definitions);
    return definitions;
  };
}

function valueAt(values: Values, [key = '', ...below]: readonly string[]): Value | undefined {
  const value = values[key];
  if (below.length === 0 || value === undefined) return value;
  return isMap(value) ? valueAt(value, below) : undefined;
}
