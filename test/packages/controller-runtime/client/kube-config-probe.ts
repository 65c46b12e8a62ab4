import { createInterface } from 'node:readline';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import { loadConnection } from '#controller-runtime/client/kube-config';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import { NAMESPACES } from '#controller-runtime/objects/built-in-resources';

/** With which configuration to list the namespaces. */
export interface Question {
  readonly kubeconfig?: string;
  /** The environment in which the configuration is looked for. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The number of namespaces, or what went wrong. */
export interface Answer {
  readonly count?: number;
  readonly status?: number;
  readonly message?: string;
  readonly cause?: string;
}

const clients = new Map<string, KubeClient>();

/** The same question is asked over the same connection: credentials may have changed meanwhile. */
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

/** Answers each line of JSON with one. A process of its own, since jest cannot load client-node. */
async function main(): Promise<void> {
  for await (const line of createInterface(process.stdin)) console.log(JSON.stringify(await answer(line)));
  process.exit();
}

void main();
