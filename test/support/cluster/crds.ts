import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isClusterScoped } from '#linkerd/api-groups';
import { type Definitions, type JsonSchema, nameOfRef } from '#tools/import/json-schema';
import type { KubeObject } from './objects';

/** The irregular plurals. A regular one is the lower-case kind with `s`, or with `ies` for `y`. */
const PLURALS: Readonly<Record<string, string>> = { NetworkAttachmentDefinition: 'network-attachment-definitions' };

/** The kinds whose upstream CRDs have no status subresource. */
const WITHOUT_STATUS_SUBRESOURCE = new Set([
  'Application',
  'AppProject',
  'AuthorizationPolicy',
  'IngressRoute',
  'MeshTLSAuthentication',
  'Middleware',
  'NetworkAttachmentDefinition',
  'NetworkAuthentication',
  'SecurityContextConstraints',
  'Server',
  'ServiceProfile',
]);

const IMPORTS = join(__dirname, '..', '..', '..', 'imports');

/**
 * The CustomResourceDefinitions of all custom resources in `imports/`. They differ from the originals where the
 * imported schemas lack CEL rules, defaults and printer columns. The status can have any fields, and its conditions
 * merge by type.
 */
export function customResourceDefinitions(): KubeObject[] {
  const byName = new Map<string, Version[]>();
  for (const version of importedVersions()) {
    const key = `${version.group}/${version.kind}`;
    byName.set(key, [...(byName.get(key) ?? []), version]);
  }
  return [...byName.values()].map(definition);
}

/** The CustomResourceDefinition of a kind. @throws if `imports/` has no schema of it */
export function customResourceDefinition(group: string, kind: string): KubeObject {
  const found = importedVersions().filter((version) => version.group === group && version.kind === kind);
  if (found.length === 0) throw new Error(`There is no schema of ${kind} in ${group} under imports/.`);
  return definition(found);
}

interface Version {
  readonly group: string;
  readonly name: string;
  readonly kind: string;
  /** Such as `crds/cert-manager.io#Certificate`. */
  readonly source: string;
}

function importedVersions(): Version[] {
  const index: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(IMPORTS, 'index.json'), 'utf8'));
  return Object.entries(index)
    .filter(([, source]) => source.startsWith('crds/'))
    .map(([key, source]) => {
      const [group = '', name = '', kind = ''] = key.split('/');
      return { group, name, kind, source };
    });
}

function definition(versions: readonly Version[]): KubeObject {
  const ordered = versions.toSorted((a, b) => compareVersions(a.name, b.name));
  const { group = '', kind = '' } = ordered[0] ?? {};
  const plural = PLURALS[kind] ?? `${kind.toLowerCase().replace(/y$/, 'ie')}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // The API server requires this annotation on CRDs in the groups of Kubernetes itself.
      ...(group.endsWith('.k8s.io') && { annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' } }),
    },
    spec: {
      group,
      scope: isClusterScoped({ apiVersion: `${group}/v1`, kind }) ? 'Cluster' : 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: ordered.map(({ name, source }, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: objectSchema(source) },
        ...(!WITHOUT_STATUS_SUBRESOURCE.has(kind) && { subresources: { status: {} } }),
      })),
    },
  };
}

/** Sorts as Kubernetes does: stable, beta, alpha, and new before old. Upstream stores the first version. */
function compareVersions(a: string, b: string): number {
  const rank = (version: string) => {
    const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
    return ['alpha', 'beta', undefined].indexOf(stage) * 1e6 + Number(major) * 1e3 + Number(minor);
  };
  return rank(b) - rank(a);
}

const ANYTHING = { 'x-kubernetes-preserve-unknown-fields': true };

const STATUS = {
  type: 'object',
  ...ANYTHING,
  properties: {
    conditions: {
      type: 'array',
      items: { type: 'object', ...ANYTHING, properties: { type: { type: 'string' } }, required: ['type'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    },
  },
};

function objectSchema(source: string): JsonSchema {
  const [file = '', name = ''] = source.split('#');
  const { definitions } = JSON.parse(readFileSync(join(IMPORTS, `${file}.schema.json`), 'utf8')) as {
    readonly definitions: Definitions;
  };
  const schema = definitions[name] ?? {};
  const typeMeta = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } };
  const own = structural(
    { ...schema, properties: without(schema.properties ?? {}, Object.keys(typeMeta)) },
    definitions,
  );
  return { ...own, properties: { ...typeMeta, ...own.properties, status: STATUS } };
}

/** Makes a closed schema structural: without `$ref`, and without `additionalProperties: false`, which is implied. */
function structural(schema: JsonSchema, definitions: Definitions): JsonSchema {
  if (schema.$ref !== undefined) return structural(definitions[nameOfRef(schema.$ref)] ?? {}, definitions);
  const { type, properties, items, additionalProperties, ...rules } = schema;
  const below = (child: JsonSchema) => structural(child, definitions);
  return {
    ...rules,
    ...typeOf(type),
    ...mergeOf(schema, definitions),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, below(child)])),
    }),
    ...(items !== undefined && { items: below(items) }),
    ...(additionalProperties === true && ANYTHING),
    ...(typeof additionalProperties === 'object' && { additionalProperties: below(additionalProperties) }),
  };
}

/** Drops map keys that are optional in an item: upstream they have defaults, which the imported schemas lack. */
function mergeOf(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const keys = schema['x-kubernetes-list-map-keys'] as readonly string[] | undefined;
  if (keys === undefined) return {};
  const item = schema.items?.$ref === undefined ? schema.items : definitions[nameOfRef(schema.items.$ref)];
  const isMap = keys.every((key) => item?.required?.includes(key));
  return isMap ? { 'x-kubernetes-list-type': 'map' } : { 'x-kubernetes-list-map-keys': undefined };
}

function typeOf(type: JsonSchema['type']): JsonSchema {
  if (type === undefined) return ANYTHING;
  const types = typeof type === 'string' ? [type] : type;
  if (types.includes('integer') && types.includes('string')) return { 'x-kubernetes-int-or-string': true };
  const [own] = types.filter((name) => name !== 'null');
  return { type: own, ...(types.includes('null') && { nullable: true }) };
}

function without<T>(record: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}
