import { createInterface } from 'node:readline';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import { loadConnection } from '#controller-runtime/client/kube-config';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import { NAMESPACES } from '#controller-runtime/objects/built-in-resources';

/** The kubeconfig with which to list namespaces. */
export interface Question {
  readonly kubeconfig?: string;
  /** The environment for the search of a kubeconfig. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The number of namespaces, or an error. */
export interface Answer {
  readonly count?: number;
  readonly status?: number;
  readonly message?: string;
  readonly cause?: string;
}

const clients = new Map<string, KubeClient>();

/** An equal question uses the same connection, so that a test can change its credentials. */
function clientFor(line: string): KubeClient {
  const known = clients.get(line);
  if (known) return known;
  const { kubeconfig, env = {} }: Question = JSON.parse(line);
  for (const name of ['KUBECONFIG', 'HOME']) delete process.env[name];
  Object.assign(process.env, env);
  const client = createKubeClient(loadConnection({ kubeconfig }), { fieldManager: 'probe' });
  clients.set(line, client);
  return client;
}

async function answer(line: string): Promise<Answer> {
  try {
    return { count: (await clientFor(line).list(NAMESPACES)).items.length };
  } catch (error) {
    const { status, message, cause } = error as Answer & { readonly cause?: Error };
    return { status, message, cause: cause?.message };
  }
}

/** Answers each line of JSON with a line. Runs in a separate process, since Jest cannot load client-node. */
async function main(): Promise<void> {
  for await (const line of createInterface(process.stdin)) console.log(JSON.stringify(await answer(line)));
  process.exit();
}

void main();
