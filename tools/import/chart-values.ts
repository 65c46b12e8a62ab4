import { parse } from 'yaml';
import type { Values } from '#base/values';
import { commentedKeys } from './commented-keys';
import { helmNullable } from './helm-nullable';
import { inferValues } from './infer-values';
import type { Definitions, JsonSchema } from './json-schema';
import { shareDefinitions } from './share-definitions';
import { shippedSchema } from './shipped-schema';
import type { ValuesKnowledge } from './value-types';

/** The files of one chart at one release that define its values. */
export interface ChartSource {
  /** The release of the application, which Linkerd's charts have as a default value. */
  readonly appVersion: string;
  /** `values.yaml` */
  readonly values: string;
  /** `values.schema.json`, if the chart contains one. */
  readonly schema?: string;
}

/**
 * The default values of the published chart. Linkerd's sources have a placeholder where the published chart has its
 * release.
 */
export function chartDefaults(yaml: string, appVersion: string): Values {
  const fill = (value: unknown): unknown => (value === 'linkerdVersionValue' ? appVersion : value);
  return JSON.parse(JSON.stringify(parse(yaml), (_key, value) => fill(value))) as Values;
}

/** The closed schema of a chart's values as a user writes them: nothing is required, and null is allowed as in Helm. */
export function chartSchema(source: ChartSource, knowledge: ValuesKnowledge, kubernetes: Definitions): Definitions {
  const schema =
    source.schema === undefined
      ? inferValues(chartDefaults(source.values, source.appVersion), knowledge)
      : shippedSchema(JSON.parse(source.schema), knowledge);
  if (source.schema === undefined) refuseUntypedKeys(schema, commentedKeys(source.values));
  return shareDefinitions({ Values: helmNullable(schema, kubernetes) });
}

/** Throws if the schema lacks a key that `values.yaml` mentions only in a comment. */
function refuseUntypedKeys(schema: JsonSchema, paths: readonly string[]): void {
  const isKnown = (path: string): boolean => {
    let at: JsonSchema | undefined = schema;
    for (const key of path.split('.')) {
      if (at?.properties === undefined) break;
      at = at.properties[key];
    }
    return at !== undefined;
  };
  const untyped = paths.filter((path) => !isKnown(path));
  if (untyped.length > 0) {
    throw new Error(
      `values.yaml has ${untyped.join(', ')} in comments: add their types to tools/import/values-knowledge.ts`,
    );
  }
}
