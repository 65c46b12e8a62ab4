import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { EXTERNAL, type JsonSchema } from '../../constructs/fleet/fleet-schema';
import { LINT_CODES } from './rules';

/** The settings of a rule in a configuration. */
const SWITCHES = ['off', 'on', 'warning', 'error'] as const;

/** `on` is the default severity of the rule. */
export type Switch = (typeof SWITCHES)[number];

/** Returns the JSON Schema of the configuration of lint, for editors. */
export function lintConfigSchema(): JsonSchema {
  const rule = { enum: SWITCHES, description: 'off, on, or another severity' };
  const text = { type: 'string', minLength: 1 };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of cdk8s-linkerd lint',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string', description: 'the address of this schema, for editors' },
      ignore: {
        type: 'array',
        description: 'a list of paths to leave out, as in a .gitignore: [vendor/, "*.test.yaml"]',
        items: text,
      },
      rules: {
        type: 'object',
        description: 'a map of codes that are off, or have another severity: { probe-denied: warning }',
        additionalProperties: false,
        properties: Object.fromEntries(LINT_CODES.map((code) => [code, rule])),
      },
      release: {
        type: 'string',
        description: 'the release of a control plane that no file installs',
        enum: [...LINKERD_VERSIONS],
      },
      trustNamespace: {
        ...text,
        description: 'the namespace in which a trust-manager that no file installs looks up sources of Bundles',
      },
      external: {
        type: 'array',
        description:
          'a list of objects that other tools create; all others that are in no file are missing: [{ secret: shop/token }]',
        items: EXTERNAL,
      },
      clusters: {
        type: 'array',
        description: 'a list of folders that are one cluster each, as in a .gitignore: [clusters/*]',
        items: text,
      },
      baseline: { ...text, description: 'the file of --baseline, relative to this one' },
    },
  };
}
