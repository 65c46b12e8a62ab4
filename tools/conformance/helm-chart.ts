import { type ExecFileException, execFile } from 'node:child_process';
import { parse, parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../../lib/kubernetes/kubernetes-object';
import type { Values } from '../../lib/releases/values';
import { objectKey } from './canonical';
import type { Objects } from './recording';

/** The Kubernetes for which charts are rendered: what the recorded renders were made for. */
const KUBE_VERSION = '1.34.0';
const MAX_OUTPUT_BYTES = 2 ** 28;

/** A chart as a folder or a package, and the Helm that renders it. */
export interface HelmChart {
  readonly helm: string;
  readonly path: string;
}

/** The result of Helm for some values. */
export type HelmRender = { readonly objects: Objects } | { readonly refused: string };

/** Name and version of a chart. */
export async function chartIdentity(chart: HelmChart): Promise<{ readonly name: string; readonly version: string }> {
  return parse(await run(chart.helm, ['show', 'chart', chart.path]));
}

/** The values that a chart has of itself. */
export async function chartDefaults({ helm, path }: HelmChart): Promise<Values> {
  return parse(await run(helm, ['show', 'values', path]), { version: '1.1' });
}

/** Renders a chart. */
export async function helmRender({ helm, path }: HelmChart, namespace: string, values: Values): Promise<HelmRender> {
  const args = ['template', 'linkerd', path, '--namespace', namespace, '--kube-version', KUBE_VERSION, '--values', '-'];
  try {
    return { objects: objectsIn(await run(helm, args, JSON.stringify(values))) };
  } catch (error) {
    return { refused: lastLine(error instanceof Error ? error.message : String(error)) };
  }
}

function objectsIn(manifests: string): Objects {
  const objects = parseAllDocuments(manifests, { version: '1.1' })
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
  return new Map(objects.map((object) => [objectKey(object), object]));
}

function run(program: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr === '' ? error.message : stderr));
    };
    const child = execFile(program, args, { encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES }, done);
    // A program that ends without reading is reported by its exit code.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

function lastLine(message: string): string {
  return message.trim().split('\n').at(-1) ?? '';
}
