import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

/** The charts whose values the LinkerdConfig's definition describes, from the folder of Kubernetes' schema. */
const CHARTS = 'charts/linkerd-control-plane';

type Definitions = Readonly<Record<string, unknown>>;

/**
 * Keeps of the schema of Kubernetes, which describes all that the library writes, what values of charts refer to.
 *
 * @param onRead is told of each chart's schema that was read, by its path from the root of the repository
 */
export function usedDefinitions(onRead: (file: string) => void): Plugin {
  return {
    name: 'used-definitions',
    setup(build) {
      build.onLoad({ filter: /[\\/]imports[\\/]kubernetes\.schema\.json$/ }, ({ path }) => {
        const folder = join(dirname(path), CHARTS);
        const charts = readdirSync(folder).filter((file) => file.endsWith('.schema.json'));
        for (const file of charts) onRead(`imports/${CHARTS}/${file}`);
        const { definitions } = JSON.parse(readFileSync(path, 'utf8')) as { readonly definitions: Definitions };
        const used = new Set<string>();
        for (const file of charts) {
          addReferred(JSON.parse(readFileSync(join(folder, file), 'utf8')), 'kubernetes', { definitions, used });
        }
        const kept = Object.fromEntries(Object.entries(definitions).filter(([name]) => used.has(name)));
        return { contents: JSON.stringify({ definitions: kept }), loader: 'json' };
      });
    },
  };
}

/** Adds the definitions that a schema refers to, by the name that it has for their file, and those that these refer to. */
function addReferred(
  schema: unknown,
  file: string,
  found: { readonly definitions: Definitions; readonly used: Set<string> },
): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    const [where, name] = key === '$ref' ? String(value).split('#/definitions/') : [];
    if (name === undefined || where !== file) addReferred(value, file, found);
    else if (!found.used.has(name)) {
      found.used.add(name);
      // Among themselves they have no name for their file.
      addReferred(found.definitions[name], '', found);
    }
  }
}
