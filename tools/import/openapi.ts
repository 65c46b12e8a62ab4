import { formatOf, listTypeOf } from './formats';
import {
  type Definitions,
  type JsonSchema,
  mapChildren,
  nameOfRef,
  pascalCase,
  refTo,
  sortedByKey,
} from './json-schema';
import { type KindSchema, kindSchema, OBJECT_META } from './kind-schema';
import { nameKinds, type ObjectDocument } from './object-document';

/** The part of Kubernetes' `swagger.json` that describes objects. */
export interface Swagger {
  readonly definitions: Definitions;
}

/** Types that Kubernetes reads with its own code, so OpenAPI does not describe them fully. */
const HAND_WRITTEN: Readonly<Record<string, JsonSchema>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'], format: 'quantity' },
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': { type: 'object', additionalProperties: true },
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': { type: 'string' },
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': { type: 'string' },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object', additionalProperties: true },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['integer', 'string'], format: 'int32' },
};

const OBJECT_META_NAME = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Enumerations that OpenAPI leaves to the descriptions, as `Definition.property`. */
export type Enumerations = Readonly<Record<string, readonly string[]>>;

/** The closed schemas of the given kinds (by apiVersion) and of all definitions that these refer to. */
export function kubernetesDocument(
  swagger: Swagger,
  wanted: Readonly<Record<string, readonly string[]>>,
  enumerations: Enumerations,
): ObjectDocument {
  const kindNames = new Map(
    Object.entries(wanted).flatMap(([apiVersion, kinds]) =>
      kinds.map((kind) => [definitionOfKind(swagger, apiVersion, kind), { apiVersion, kind }] as const),
    ),
  );
  const names = shortNames(reachable(swagger, [...kindNames.keys()]), new Set(kindNames.keys()));
  const refs = new Map([...names].map(([name, short]) => [name, kindNames.has(name) ? `Inline${short}` : short]));
  const kinds: KindSchema[] = [];
  const definitions: Record<string, JsonSchema> = { ObjectMeta: OBJECT_META };
  for (const [name, short] of names) {
    const schema = closeDefinition(swagger.definitions[name] ?? {}, refs);
    const kind = kindNames.get(name);
    if (kind === undefined) definitions[short] = schema;
    else kinds.push(kindSchema(kind.apiVersion, kind.kind, schema));
  }
  const { index, schemas } = nameKinds(kinds);
  const document = { ...definitions, ...schemas };
  return { kinds: index, definitions: withEnumerations({ ...document, ...inlineKinds(document) }, enumerations) };
}

/** Objects inside other objects (a StatefulSet's volume claims) may leave out their apiVersion and kind. */
function inlineKinds(definitions: Definitions): Definitions {
  const inline: Record<string, JsonSchema> = {};
  const visit = (schema: JsonSchema): JsonSchema => {
    const name = schema.$ref === undefined ? '' : nameOfRef(schema.$ref);
    const whole = definitions[name.replace(/^Inline/, '')];
    if (name.startsWith('Inline') && whole !== undefined) {
      const required = whole.required?.filter((field) => field !== 'apiVersion' && field !== 'kind');
      inline[name] = { ...whole, required };
    }
    return mapChildren(schema, visit);
  };
  for (const schema of Object.values(definitions)) visit(schema);
  return inline;
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

function definitionOfKind(swagger: Swagger, apiVersion: string, kind: string): string {
  const isKind = (gvk: GroupVersionKind): boolean =>
    gvk.kind === kind && (gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`) === apiVersion;
  const found = Object.entries(swagger.definitions).find(([, schema]) =>
    ((schema['x-kubernetes-group-version-kind'] ?? []) as readonly GroupVersionKind[]).some(isKind),
  );
  if (found === undefined) throw new Error(`Kubernetes' OpenAPI has no ${apiVersion} ${kind}`);
  return found[0];
}

/** The given definitions and all that they refer to, without statuses and the types in `HAND_WRITTEN`. */
function reachable(swagger: Swagger, roots: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const visit = (schema: JsonSchema): JsonSchema => {
    if (schema.$ref !== undefined) add(nameOfRef(schema.$ref));
    return mapChildren(schema, visit);
  };
  const add = (name: string): void => {
    if (found.has(name) || name in HAND_WRITTEN || name === OBJECT_META_NAME) return;
    found.add(name);
    const definition = swagger.definitions[name] ?? {};
    const { status: _status, ...properties } = definition.properties ?? {};
    visit(roots.includes(name) ? { properties } : definition);
  };
  for (const root of roots) add(root);
  return [...found].sort();
}

/**
 * `io.k8s.api.core.v1.Container` → `Container`. Where several names end alike, a kind gets the plain name, and the
 * other names start with the group and end with the version.
 */
function shortNames(names: readonly string[], kinds: ReadonlySet<string>): ReadonlyMap<string, string> {
  const parts = names.map((name) => {
    const [group = '', version = '', last = ''] = name.split('.').slice(-3);
    return { name, group, version, last };
  });
  return new Map(
    parts.map(({ name, group, version, last }) => {
      const alike = parts.filter((other) => other.last === last && other.name !== name);
      if (alike.length === 0 || kinds.has(name)) return [name, last];
      const needsGroup = alike.some((other) => other.group !== group);
      const needsVersion = version !== 'v1' && alike.some((other) => other.group === group);
      return [name, `${needsGroup ? pascalCase(group) : ''}${last}${needsVersion ? pascalCase(version) : ''}`];
    }),
  );
}

function closeDefinition(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const close = (child: JsonSchema): JsonSchema => closeDefinition(child, names);
  if (schema.$ref !== undefined) {
    const name = nameOfRef(schema.$ref);
    return HAND_WRITTEN[name] ?? refTo(name === OBJECT_META_NAME ? 'ObjectMeta' : (names.get(name) ?? name));
  }
  const { type } = schema;
  if (type === undefined) return {};
  if (type === 'array') return { type, items: close(schema.items ?? {}), ...listTypeOf(schema) };
  if (type !== 'object') return { type, ...formatOf(schema) };
  if (typeof schema.additionalProperties === 'object') {
    return { type, additionalProperties: close(schema.additionalProperties) };
  }
  if (schema.properties === undefined) return { type, additionalProperties: true };
  return {
    type,
    properties: sortedByKey(
      Object.fromEntries(Object.entries(schema.properties).map(([key, child]) => [key, close(child)])),
    ),
    ...(schema.required !== undefined && { required: [...schema.required].sort() }),
    additionalProperties: false,
  };
}

/** Throws for an enumeration of a property that does not exist: a typo would have no effect. */
function withEnumerations(definitions: Definitions, enumerations: Enumerations): Definitions {
  const changed: Record<string, JsonSchema> = { ...definitions };
  for (const [path, values] of Object.entries(enumerations)) {
    const [name = '', property = ''] = path.split('.');
    const schema = changed[name];
    const before = schema?.properties?.[property];
    if (schema === undefined || before === undefined)
      throw new Error(`the enumeration of ${path} has no such property`);
    const item = before.items === undefined ? undefined : { ...before, items: { ...before.items, enum: values } };
    changed[name] = {
      ...schema,
      properties: { ...schema.properties, [property]: item ?? { ...before, enum: values } },
    };
  }
  return changed;
}
