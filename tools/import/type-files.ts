import type { Definitions } from './json-schema';
import { type Files, isSchema, moduleOf } from './schema-files';
import type { TypeScriptOptions } from './type-texts';
import { toTypeScript } from './typescript';

/** The second step of an import: each schema document becomes a module of TypeScript types beside it. */
export async function typeFiles(schemas: Files): Promise<Files> {
  const documents = [...schemas].filter(([path]) => isSchema(path));
  return new Map(
    await Promise.all(
      documents.map(async ([path, content]) => {
        const { definitions } = JSON.parse(content) as { definitions: Definitions };
        const module = moduleOf(path);
        return [`${module}.ts`, await toTypeScript(definitions, optionsFor(module))] as const;
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
