import chart from '../../../imports/charts/linkerd-control-plane/edge-26.8.3.schema.json';
import kubernetes from '../../../imports/kubernetes.schema.json';
import { HEADER_LOGS } from '../injection/header-logs';
import { IPTABLES_MODES } from '../injection/proxy-init';
import {
  type ImportedSchema,
  type Resolve,
  type StructuralSchema,
  structuralSchema,
  type ValidationRule,
} from './structural-schema';

/** Generous: a root certificate takes 1 to 2 KB. The API server wants a bound on text that a rule reads. */
export const MAX_PEM_LENGTH = 65_536;

const TRUST_ANCHORS: StructuralSchema = {
  description:
    "PEM certificates of the mesh's roots, as the values name them. Empty: those in use. Proxies do not have theirs from here where the injector mounts the ConfigMap linkerd-identity-trust-roots: it gives them what that holds.",
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

/** Values that must stay empty, by their key wherever it stands, and why. */
const KEPT_EMPTY: Readonly<Record<string, ValidationRule>> = {
  keyPEM: {
    rule: 'self.size() == 0',
    message:
      'a private key must not stand here, where everybody who reads this object has it: leave it to cert-manager',
  },
  caBundle: {
    rule: 'self.size() == 0',
    message: "a webhook's caBundle is written by cert-manager's CA injector: leave it out",
  },
};

/** Keys of values that a LinkerdConfig may not set: private keys, and what cert-manager fills in. */
export const KEPT_EMPTY_KEYS: readonly string[] = Object.keys(KEPT_EMPTY);

/**
 * Maps that the injector looks into for each pod, of which null counts as left out. Others that it needs are refused by
 * the webhook, with a reason.
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

/** Words that the injector wants one of, whatever else is set, by the path of the value. */
const NEEDED_WORDS: readonly (readonly [path: string, words: readonly string[]])[] = [
  ['proxy.logHTTPHeaders', HEADER_LOGS],
  ['proxyInit.iptablesMode', IPTABLES_MODES],
];

/**
 * The values of the control plane's chart as a part of a CustomResourceDefinition: all optional, null where Helm takes
 * null for "remove this" and the injector can do without, types and limits as the chart's.
 */
export function valuesSchema(): StructuralSchema {
  const { properties = {}, ...schema } = withNeeded(
    withRules(structuralSchema(chart.definitions.Values as ImportedSchema, definitionsOf(chart.definitions))),
  );
  const { identityTrustAnchorsPEM, ...others } = properties;
  return {
    ...schema,
    description: 'Values of the chart linkerd-control-plane (edge-26.8.3) to lay over those of the installation.',
    properties: { ...others, identityTrustAnchorsPEM: { ...identityTrustAnchorsPEM, ...TRUST_ANCHORS } },
  };
}

type Definitions = Readonly<Record<string, ImportedSchema>>;

const KUBERNETES = kubernetes.definitions as object as Definitions;

function definitionsOf(own: Definitions): Resolve {
  return (reference) => {
    const [file, name = ''] = reference.split('#/definitions/');
    const definitions = file === 'kubernetes' ? KUBERNETES : own;
    const schema = definitions[name];
    if (schema === undefined) throw new Error(`There is no schema ${reference}`);
    return { schema, resolve: definitionsOf(definitions) };
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
 * Makes values not nullable that the injector would fail without on each pod: the API server drops null there, so that
 * it counts as left out. It has no way to refuse null for a map: its rules do not see null, and `not` and `allOf` are
 * not asked.
 */
function withNeeded(schema: StructuralSchema): StructuralSchema {
  const maps = NOT_NULLABLE.reduce((whole, path) => changedAt(whole, path, notNull), schema);
  return NEEDED_WORDS.reduce((whole, [path, words]) => changedAt(whole, path, (value) => oneOf(value, words)), maps);
}

function notNull({ nullable: _nullable, ...schema }: StructuralSchema): StructuralSchema {
  return schema;
}

/** Restricts text to words by an `enum`, which tools know and which needs no rule where there is no null. */
function oneOf(schema: StructuralSchema, words: readonly string[]): StructuralSchema {
  const { 'x-kubernetes-validations': _rules, ...others } = notNull(schema);
  return { ...others, enum: words };
}

/** @throws when there is nothing at the dotted path */
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
