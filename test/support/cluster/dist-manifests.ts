import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { customResourceDefinitions } from './crds';
import type { KubeObject } from './objects';

/** The committed output. */
export const DIST = join(__dirname, '..', '..', '..', 'dist');

/** The objects below a folder of the output, by file. */
export function manifestsIn(folder: string): [string, KubeObject][] {
  return readdirSync(join(DIST, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.yaml') && !['Chart.yaml', 'values.yaml', '.argocd-source.yaml'].includes(basename(file)),
    )
    .map((file): [string, KubeObject] => [file, parse(unescaped(readFileSync(join(DIST, folder, file), 'utf8')))]);
}

/** Returns what Helm makes of a manifest among a chart's templates: these print a literal `{{`. */
export function unescaped(template: string): string {
  return template.replaceAll('{{`{{`}}', '{{');
}

/**
 * The definitions of the custom resources among the objects. Serving all definitions would take the API server much
 * longer.
 */
export function definitionsOf(objects: readonly KubeObject[]): KubeObject[] {
  const kinds = new Set(objects.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]}/${kind}`));
  return customResourceDefinitions().filter(({ spec }) => kinds.has(`${spec.group}/${spec.names.kind}`));
}
