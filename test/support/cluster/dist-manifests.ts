import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { customResourceDefinitions } from './crds';
import type { KubeObject } from './objects';

/** The folder of the committed output. */
export const DIST = join(__dirname, '..', '..', '..', 'dist');

/** The files below a folder of the output, each with its object. */
export function manifestsIn(folder: string): [string, KubeObject][] {
  return readdirSync(join(DIST, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.yaml') && !['Chart.yaml', 'values.yaml', '.argocd-source.yaml'].includes(basename(file)),
    )
    .map((file): [string, KubeObject] => [file, parse(unescaped(readFileSync(join(DIST, folder, file), 'utf8')))]);
}

/** Renders a manifest of a chart's templates as Helm does: they escape a literal `{{`. */
export function unescaped(template: string): string {
  return template.replaceAll('{{`{{`}}', '{{');
}

/**
 * The CRDs of the custom resources among the objects. With all CRDs, the API server would take much longer.
 */
export function definitionsOf(objects: readonly KubeObject[]): KubeObject[] {
  const kinds = new Set(objects.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]}/${kind}`));
  return customResourceDefinitions().filter(({ spec }) => kinds.has(`${spec.group}/${spec.names.kind}`));
}
