import { type ExecFileException, execFile } from 'node:child_process';
import { parse } from 'yaml';
import type { Values } from '#base/values';
import { type Objects, objectsIn } from './manifests';

/** The Kubernetes version for which charts are rendered, as in the recorded renders. */
const KUBE_VERSION = '1.34.0';
const MAX_OUTPUT_BYTES = 2 ** 28;

/** A chart as a folder or a package, and the Helm that renders it. */
export interface HelmChart {
  readonly helm: string;
  readonly path: string;
}

/** The result of Helm for some values. */
export type HelmRender = { readonly objects: Objects } | { readonly refused: string };

/** The names under which a chart is published. */
export interface ChartIdentity {
  readonly name: string;
  readonly version: string;
  /** The release of the application that it installs. */
  readonly appVersion?: string;
  /** The Kubernetes versions that it supports. */
  readonly kubeVersion?: string;
}

/** Name and versions of a chart. */
export async function chartIdentity(chart: HelmChart): Promise<ChartIdentity> {
  return parse(await run(chart.helm, ['show', 'chart', chart.path]));
}

/** The default values of a chart. */
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
