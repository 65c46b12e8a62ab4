import { HEADER_LOGS } from '#linkerd/injection/header-logs';
import { INJECTED_VALUES } from '#linkerd/injection/injected-values';
import { injectorOf, reads } from '#linkerd/injection/injector';
import { IPTABLES_MODES } from '#linkerd/injection/proxy-init';
import { typeAt } from '#linkerd/injection/value-type';
import { KEPT_EMPTY } from './kept-empty';
import { type ImportedSchema, type Resolve, type StructuralSchema, structuralSchema } from './structural-schema';

/** The values of a control plane's chart. */
export interface ChartValues {
  /** The release of the control plane. */
  readonly version: string;
  /** The release of the chart whose schema this is; its values differ only in the version. */
  readonly valuesOf: string;
  /** The schema of all values. */
  readonly schema: ImportedSchema;
  /** Resolves the references in the schema. */
  readonly resolve: Resolve;
}

/** A generous limit: a root certificate takes 1 to 2 KB. The API server requires a limit for text that a rule reads. */
export const MAX_PEM_LENGTH = 65_536;

const TRUST_ANCHORS: StructuralSchema = {
  description:
    "PEM certificates of the mesh's roots. Empty: the current ones. Proxies ignore them if the injector mounts the ConfigMap linkerd-identity-trust-roots, and use its roots instead.",
  maxLength: MAX_PEM_LENGTH,
  'x-kubernetes-validations': [
    {
      rule: "self == '' || self.contains('-----BEGIN CERTIFICATE-----')",
      message: 'identityTrustAnchorsPEM must hold PEM certificates, or be empty to keep those in use',
    },
    {
      rule: "!self.contains('PRIVATE KEY-----')",
      message: 'identityTrustAnchorsPEM holds a private key: give the certificates only',
    },
  ],
};

/**
 * Maps that the injector reads for each pod, and for which null counts as omitted. The webhook refuses to remove other
 * required maps, with a reason.
 */
const NOT_NULLABLE: readonly string[] = [
  'networkValidator',
  'proxy',
  'proxy.image',
  'proxy.livenessProbe',
  'proxy.ports',
  'proxy.readinessProbe',
  'proxyInit',
];

/** Paths of values for which the injector always requires one of some words. */
const NEEDED_WORDS: readonly (readonly [path: string, words: readonly string[]])[] = [
  ['proxy.logHTTPHeaders', HEADER_LOGS],
  ['proxyInit.iptablesMode', IPTABLES_MODES],
];

/**
 * Returns the values of the control plane's chart as a part of a CustomResourceDefinition: all optional; nullable where
 * Helm reads null as "remove this" and the injector does not require the value; types and limits as in the chart.
 */
export function valuesSchema({ version, valuesOf, schema: imported, resolve }: ChartValues): StructuralSchema {
  const { properties = {}, ...schema } = withNeeded(withRules(structuralSchema(imported, resolve)), valuesOf);
  const { identityTrustAnchorsPEM, ...others } = properties;
  return {
    ...schema,
    description: `Values of the chart linkerd-control-plane (${version}) that override those of the installation.`,
    properties: { ...others, identityTrustAnchorsPEM: { ...identityTrustAnchorsPEM, ...TRUST_ANCHORS } },
  };
}

function withRules(schema: StructuralSchema): StructuralSchema {
  if (schema.properties === undefined) return schema;
  const properties = Object.entries(schema.properties).map(([key, value]) => {
    const rule = KEPT_EMPTY[key];
    return [key, rule === undefined ? withRules(value) : { ...value, 'x-kubernetes-validations': [rule] }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/**
 * Makes values that the injector requires for each pod not nullable: the API server drops null there, so it counts as
 * omitted. It cannot refuse null for a map: its rules do not see null, and `not` and `allOf` are not evaluated.
 */
function withNeeded(schema: StructuralSchema, release: string): StructuralSchema {
  const isThere = (path: string) => typeAt(INJECTED_VALUES, path) === undefined || reads(injectorOf(release), path);
  const maps = NOT_NULLABLE.filter(isThere).reduce((whole, path) => changedAt(whole, path, notNull), schema);
  const words = NEEDED_WORDS.filter(([path]) => isThere(path));
  return words.reduce((whole, [path, of]) => changedAt(whole, path, (value) => oneOf(value, of)), maps);
}

function notNull({ nullable: _nullable, ...schema }: StructuralSchema): StructuralSchema {
  return schema;
}

/** Restricts text to words by an `enum`, which tools support and which needs no rule if null is not allowed. */
function oneOf(schema: StructuralSchema, words: readonly string[]): StructuralSchema {
  const { 'x-kubernetes-validations': _rules, ...others } = notNull(schema);
  return { ...others, enum: words };
}

/** @throws if there is nothing at the dotted path */
function changedAt(
  schema: StructuralSchema,
  path: string,
  change: (schema: StructuralSchema) => StructuralSchema,
): StructuralSchema {
  const [key = '', ...below] = path.split('.');
  const inner = schema.properties?.[key];
  if (inner === undefined) throw new Error(`The chart has no value ${path}`);
  const changed = below.length === 0 ? change(inner) : changedAt(inner, below.join('.'), change);
  return { ...schema, properties: { ...schema.properties, [key]: changed } };
}
