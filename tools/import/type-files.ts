import type { Definitions } from './json-schema';
import { type Files, isSchema, moduleOf } from './schema-files';
import type { TypeScriptOptions } from './type-texts';
import { toTypeScript } from './typescript';
import { withValueComments } from './value-comments';
import { valuePlaces } from './value-places';

/**
 * The second step of an import: each schema document becomes a module of TypeScript types in the same folder, in which
 * the values of charts have their defaults as comments. It reads only the output of the first step.
 */
export async function typeFiles(schemas: Files): Promise<Files> {
  const places = valuePlaces(schemas);
  const documents = [...schemas].filter(([path]) => isSchema(path));
  return new Map(
    await Promise.all(
      documents.map(async ([path, content]) => {
        const { definitions } = JSON.parse(content) as { definitions: Definitions };
        const module = moduleOf(path);
        const source = await toTypeScript(definitions, optionsFor(module));
        return [`${module}.ts`, withValueComments(source, module, places)] as const;
      }),
    ),
  );
}

function optionsFor(module: string): TypeScriptOptions {
  return {
    module,
    anything: module.startsWith('charts/') ? 'Json' : 'unknown',
  };
}
