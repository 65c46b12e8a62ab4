import type { Kubectl, LiveObject } from './kubectl';
import type { ClusterFacts } from './refusals';

/** Reads what decides whether a run may start; writes nothing. */
export async function observe(cluster: Kubectl): Promise<Omit<ClusterFacts, 'missingCharts'>> {
  const version = JSON.parse(await cluster.text(['version', '-o', 'json'])).serverVersion?.gitVersion ?? 'unknown';
  const nodes = await cluster.list('nodes');
  const namespaces = await cluster.list('namespaces');
  return {
    version,
    definitions: await namesOf(cluster, 'customresourcedefinitions'),
    namespaces: namespaces.map(({ metadata: { name, labels = {} } }) => ({ name, labels })),
    webhooks: [
      ...(await namesOf(cluster, 'mutatingwebhookconfigurations')),
      ...(await namesOf(cluster, 'validatingwebhookconfigurations')),
    ],
    nodes: nodes.filter(takesPods).length,
    isAdministrator: (await cluster.run(['auth', 'can-i', '*', '*', '--all-namespaces'])).stdout.trim() === 'yes',
  };
}

async function namesOf(cluster: Kubectl, resource: string): Promise<readonly string[]> {
  const text = await cluster.text(['get', resource, '-o', 'name']);
  return text
    .split('\n')
    .map((line) => line.replace(/^.*\//, ''))
    .filter((name) => name !== '');
}

function takesPods({ spec, status }: LiveObject): boolean {
  const conditions: readonly { type: string; status: string }[] = status?.conditions ?? [];
  const taints: readonly { effect: string }[] = spec?.taints ?? [];
  const isReady = conditions.some((one) => one.type === 'Ready' && one.status === 'True');
  return isReady && spec?.unschedulable !== true && !taints.some(({ effect }) => effect !== 'PreferNoSchedule');
}
