import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { redact } from '#base/findings/redaction';
import { shellWord } from '#base/shell-word';
import { runKubectl } from '#bin/run-kubectl';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';

/** The cluster to use, and how to reach it. */
export interface Target {
  readonly context: string;
  /** Path of the kubeconfig; that of kubectl if absent. */
  readonly kubeconfig?: string;
  /** Name or path of kubectl. */
  readonly program: string;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An object by its kind and name. */
export interface ObjectName {
  /** The resource with its group, such as `deployments.apps`. */
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
}

/** kubectl could not be run, or the API server refused its request. */
export class KubectlError extends Error {}

/** A live object, as kubectl prints it. */
export type LiveObject = KubernetesObject & {
  readonly metadata: KubernetesObject['metadata'] & {
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly generation?: number;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the status of any kind
  readonly status?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the specification of any kind
  readonly spec?: any;
};

const REQUEST = '--request-timeout=60s';

/** Requests to one cluster through kubectl, which supports every kind of login. */
export class Kubectl {
  private readonly global: readonly string[];

  constructor(
    private readonly target: Target,
    private readonly signal?: AbortSignal,
  ) {
    const { context, kubeconfig } = target;
    this.global = [
      `--context=${context}`,
      ...(kubeconfig === undefined ? [] : [`--kubeconfig=${resolve(kubeconfig)}`]),
    ];
  }

  /** Returns the same cluster, whose requests end with another signal, or with none. */
  until(signal?: AbortSignal): Kubectl {
    return new Kubectl(this.target, signal);
  }

  /** Returns an object, or undefined if there is none. */
  async get({ resource, name, namespace }: ObjectName): Promise<LiveObject | undefined> {
    const text = await this.text([
      'get',
      resource,
      name,
      ...inNamespace(namespace),
      '--ignore-not-found',
      '-o',
      'json',
    ]);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Returns the objects of a resource, by default of all namespaces. */
  async list(resource: string, where: { namespace?: string; selector?: string } = {}): Promise<readonly LiveObject[]> {
    const { namespace, selector } = where;
    const place = namespace === undefined ? ['--all-namespaces'] : inNamespace(namespace);
    const labels = selector === undefined ? [] : [`--selector=${selector}`];
    return JSON.parse(await this.text(['get', resource, ...place, ...labels, '-o', 'json'])).items;
  }

  /** Waits between two reads of a state. */
  pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.signal });
  }

  /** Applies objects as Argo CD does, one after the other. Returns why some of them were refused, or undefined. */
  async apply(objects: readonly object[], manager: string, ...more: string[]): Promise<string | undefined> {
    if (objects.length === 0) return undefined;
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    const args = ['apply', '--server-side', '--force-conflicts', `--field-manager=${manager}`, ...more, '-f', '-'];
    const { code, stderr } = await this.run(args, input);
    return code === 0 ? undefined : lastLine(stderr);
  }

  /** Requests the deletion of an object, and does not wait for it. */
  async delete({ resource, name, namespace }: ObjectName): Promise<void> {
    await this.text(['delete', resource, name, ...inNamespace(namespace), '--ignore-not-found', '--wait=false']);
  }

  /** Requests the deletion of objects by kind and name. */
  async deleteObjects(objects: readonly KubernetesObject[]): Promise<void> {
    if (objects.length === 0) return;
    const items = objects.map(({ apiVersion, kind, metadata: { name, namespace } }) => ({
      apiVersion,
      kind,
      metadata: { name, ...(namespace !== undefined && { namespace }) },
    }));
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    // Ignores errors: a kind whose CRD is gone has no objects, and kubectl deletes the others.
    await this.run(['delete', '-f', '-', '--ignore-not-found', '--wait=false'], input);
  }

  /** Sets labels of objects by a separate field manager, so that an apply of the objects keeps them. */
  async label(
    objects: readonly KubernetesObject[],
    labels: Readonly<Record<string, string>>,
  ): Promise<string | undefined> {
    const partial = objects.map(({ apiVersion, kind, metadata: { name, namespace } }) => ({
      apiVersion,
      kind,
      metadata: { name, ...(namespace !== undefined && { namespace }), labels },
    }));
    // Without validation, because the partial objects lack required fields.
    return this.apply(partial, 'cdk8s-linkerd-e2e', '--validate=false');
  }

  /** Merges a patch into an object. */
  async patch({ resource, name, namespace }: ObjectName, patch: object): Promise<void> {
    await this.text([
      'patch',
      resource,
      name,
      ...inNamespace(namespace),
      '--type=merge',
      `--patch=${JSON.stringify(patch)}`,
    ]);
  }

  /** Returns the last line that a container printed, or undefined while there is none. */
  async lastLog(namespace: string, pod: string, container: string): Promise<string | undefined> {
    const args = ['logs', pod, ...inNamespace(namespace), `--container=${container}`, '--tail=1'];
    const { code, stdout } = await this.run(args);
    return code === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
  }

  /** Runs any other command, and returns what it printed. */
  async text(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new KubectlError(`kubectl ${args[0]}: ${lastLine(stderr)}`);
    return stdout.trim();
  }

  /** Runs lines of a shell in a folder, up to the first that fails. In them, `kubectl` uses this cluster. */
  async shell(folder: string, lines: string): Promise<void> {
    const kubectl = [inPlace(this.target.program), ...this.global].map(shellWord).join(' ');
    const script = `set -e\nkubectl() { command ${kubectl} "$@"; }\ncd ${shellWord(folder)}\n${lines}`;
    const { code, cut, stderr } = await runKubectl(['-c', script], { program: 'bash', signal: this.signal });
    if (cut === 'late') this.signal?.throwIfAborted();
    if (code !== 0) throw new KubectlError(`a command of the page failed: ${lastLine(stderr)}`);
  }

  /** Runs a command, and returns what it printed even if it failed in part. */
  async run(args: readonly string[], input?: string): Promise<Ran> {
    const { program } = this.target;
    const options = { program, signal: this.signal, ...(input !== undefined && { input }) };
    const { code, cut, ...printed } = await runKubectl([...this.global, REQUEST, ...args], options).catch((error) => {
      throw new KubectlError(`${program}: ${error.message}`);
    });
    if (cut === 'late') this.signal?.throwIfAborted();
    if (cut !== undefined) throw new KubectlError(`kubectl ${args[0]}: the answer is too large`);
    return { code: code ?? 1, ...printed };
  }
}

/** Makes the path of a program absolute. A name is looked up in PATH. */
function inPlace(program: string): string {
  return program.includes('/') ? resolve(program) : program;
}

function inNamespace(namespace: string | undefined): readonly string[] {
  return namespace === undefined ? [] : [`--namespace=${namespace}`];
}

function lastLine(text: string): string {
  return redact(text.trim().split('\n').at(-1) ?? '').slice(0, 240);
}
