import { REFERENCE_WORDS } from '#kubernetes/objects/references';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';

/** A JSON Schema, as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const DNS_LABEL = '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$';
const LABEL_TEXT = 'a DNS label: at most 63 small letters, digits and hyphens';

/**
 * Returns the JSON Schema of a fleet file. That of the package, `cdk8s-linkerd/schemas/fleet.schema.json`, accepts any
 * settings; with a schema for your settings, an editor can check them as well.
 *
 * @param settings JSON Schema of the merged settings of one cluster: the fleet, the ring or the cluster may set a
 * required setting
 */
export function fleetSchema(settings: JsonSchema = { type: 'object' }): JsonSchema {
  const level = {
    domain: { type: 'string', description: 'a DNS domain, the suffix of service names in a cluster' },
    release: { $ref: '#/definitions/release' },
    external: { $ref: '#/definitions/external' },
    settings: { $ref: '#/definitions/settings' },
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Fleet of cdk8s-linkerd',
    ...map(
      { required: ['clusters'] },
      {
        $schema: { type: 'string', description: 'the address of this schema, for editors' },
        defaults: map({}, level),
        rings: { type: 'array', items: { $ref: '#/definitions/ring' } },
        clusters: { type: 'array', minItems: 1, items: { $ref: '#/definitions/cluster' } },
      },
    ),
    definitions: {
      ring: map(
        { required: ['name'], description: 'a map with a name: { name: canary }' },
        {
          name: { type: 'string', pattern: DNS_LABEL, description: LABEL_TEXT },
          revision: { type: 'string', description: 'a branch, tag or commit' },
          path: { type: 'string', description: 'a folder in the repository' },
          ...level,
        },
      ),
      cluster: map(
        { required: ['name'], description: 'a map with a name: { name: home }' },
        {
          name: { type: 'string', pattern: DNS_LABEL, description: LABEL_TEXT },
          ring: { type: 'string', description: 'the name of a ring' },
          context: {
            type: 'string',
            minLength: 1,
            description: 'the context of the cluster in kubeconfigs, for cdk8s-linkerd status',
          },
          links: {
            type: 'array',
            description: 'a list of names of clusters whose services the cluster mirrors',
            items: { type: 'string', description: 'the name of a cluster' },
          },
          destination: {
            ...map({ minProperties: 1, maxProperties: 1 }, { server: { type: 'string' }, name: { type: 'string' } }),
            description: 'a map with the server or the name of the cluster in Argo CD',
          },
          ...level,
        },
      ),
      version: { description: 'a release of Linkerd', type: 'string', enum: [...LINKERD_VERSIONS] },
      release: {
        description:
          'a release of Linkerd, or a map with one that has its own charts: { version: edge-26.9.1, charts: charts }',
        if: { type: 'object' },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: map(
          { required: ['version', 'charts'] },
          {
            version: { type: 'string', description: 'a release, which this version of cdk8s-linkerd may not know' },
            charts: { type: 'string', description: 'the folder of its charts, relative to the working directory' },
            injectorLike: { $ref: '#/definitions/version' },
            chartVersions: {
              type: 'object',
              description: 'the versions of its charts, by name, unless it is an edge release',
              additionalProperties: { type: 'string' },
            },
            proxyVersion: { type: 'string', description: 'the version of the proxies, if it differs from the release' },
          },
        ),
        else: { $ref: '#/definitions/version' },
      },
      external: {
        type: 'array',
        description: 'a list of objects that other tools create: [{ secret: shop/token }]',
        items: EXTERNAL,
      },
      settings: partial(settings),
    },
  };
}

function map(rules: JsonSchema, properties: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: false, ...rules, properties };
}

/** The schema of an object that another tool creates: `{ secret: shop/token }`. */
export const EXTERNAL: JsonSchema = {
  ...map(
    { minProperties: 1, maxProperties: 1 },
    {
      ...Object.fromEntries(
        Object.entries(REFERENCE_WORDS.wide).map(([word, kind]) => [
          word,
          { type: 'string', minLength: 1, description: `the name of ${withArticle(kind)}` },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(REFERENCE_WORDS.namespaced).map(([word, kind]) => [
          word,
          {
            type: 'string',
            pattern: '^[^/]+/[^/]+$',
            description: `the namespace and name of ${withArticle(kind)}, separated by a slash`,
          },
        ]),
      ),
    },
  ),
  description: 'a map with one kind and a name: { secret: shop/token }',
};

function withArticle(kind: string): string {
  return `${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** Keywords that hold only for merged settings, not for those of the fleet, a ring or a cluster alone. */
const WHOLE: readonly string[] = [
  '$schema',
  'required',
  'minProperties',
  'dependentRequired',
  'dependencies',
  'default',
  'unevaluatedProperties',
];

/** Keywords whose members have names chosen by the user. */
const NAMED: readonly string[] = ['properties', 'patternProperties', '$defs', 'definitions'];

/** Allows null everywhere, because null removes an inherited value. */
function partial(schema: JsonSchema): JsonSchema {
  // With an `$id`, references inside the schema still resolve within it when it is embedded.
  return { $id: 'urn:cdk8s-linkerd:fleet-settings', ...(withoutWhole(schema, false) as JsonSchema) };
}

function withoutWhole(schema: unknown, isNames: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutWhole(item, false));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => isNames || !WHOLE.includes(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isNames ? withoutWhole(value, false) : part(key, value)]),
  );
}

function part(key: string, value: unknown): unknown {
  if (key === 'type') return [...new Set([value, 'null'].flat())];
  if (key === 'enum' && Array.isArray(value)) return [...new Set([...value, null])];
  return key === 'const' || key === 'examples' ? value : withoutWhole(value, NAMED.includes(key));
}
