import { lintConfigSchema } from '#lib/cli/lint/config-schema';
import { fleetSchema } from '#lib/constructs/fleet/fleet-schema';
import { linkerdConfigDefinition } from '#lib/constructs/operator/linkerd-config-definition';
import { DEFAULT_LINKERD_VERSION } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import type { CustomResourceDefinition } from '#operator/api/crd/custom-resource-definition';
import { customResourceSchema } from './custom-resource-schema';
import { findingsSchema } from './findings-schema';

/** The texts of the schemas for editors, by the names of their files in `schemas/`. */
export function schemaFiles(): Readonly<Record<string, string>> {
  const definition: unknown = linkerdConfigDefinition(releaseOf(DEFAULT_LINKERD_VERSION));
  return {
    'findings.schema.json': textOf(findingsSchema()),
    'fleet.schema.json': textOf(fleetSchema()),
    'lint.schema.json': textOf(lintConfigSchema()),
    'linkerdconfig.schema.json': textOf(customResourceSchema(definition as CustomResourceDefinition)),
  };
}

function textOf(schema: object): string {
  return `${JSON.stringify(schema, undefined, 1)}\n`;
}
