import chart from '../../../imports/charts/linkerd-control-plane/edge-26.8.3.schema.json';
import kubernetes from '../../../imports/kubernetes.schema.json';
import {
  type ImportedSchema,
  type Resolve,
  type StructuralSchema,
  structuralSchema,
  type ValidationRule,
} from './structural-schema';

/** Generous: a root certificate takes 1 to 2 KB. The API server wants a bound on text that a rule reads. */
const MAX_PEM_LENGTH = 65_536;

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
 * The values of the control plane's chart as a part of a CustomResourceDefinition: all optional, null where Helm takes
 * null for "remove this", types and limits as the chart's.
 */
export function valuesSchema(): StructuralSchema {
  const { properties = {}, ...schema } = withRules(
    structuralSchema(chart.definitions.Values as ImportedSchema, definitionsOf(chart.definitions)),
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
