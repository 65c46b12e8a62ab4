import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isClusterScoped } from '#linkerd/api-groups';
import { type Cluster, sharedCluster } from '../support/cluster/cluster';
import { groupPath } from '../support/cluster/resources';

const index: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(__dirname, '..', '..', 'imports', 'index.json'), 'utf8'),
);
const builtIn = Object.keys(index)
  .filter((key) => index[key]?.startsWith('kubernetes#'))
  .map((key) => ({ apiVersion: key.slice(0, key.lastIndexOf('/')), kind: key.slice(key.lastIndexOf('/') + 1) }));

let cluster: Cluster;
beforeAll(async () => {
  cluster = await sharedCluster();
});

it('synth and the API server agree on which built-in kinds have no namespace', async () => {
  const served: Record<string, boolean> = {};
  for (const apiVersion of new Set(builtIn.map((kind) => kind.apiVersion))) {
    Object.assign(served, await namespacedKinds(apiVersion));
  }
  const claimed = builtIn.map((kind) => [`${kind.apiVersion}/${kind.kind}`, !isClusterScoped(kind)] as const);
  const comparable = claimed.filter(([key]) => key in served);
  expect(comparable.length).toBeGreaterThan(30);
  for (const [key, namespaced] of comparable) expect([key, namespaced]).toEqual([key, served[key]]);
});

/** Whether each kind of a version is namespaced; empty for a version that is not served by default. */
async function namespacedKinds(apiVersion: string): Promise<Record<string, boolean>> {
  const { groups } = (await cluster.request({ method: 'GET', path: '/apis' })) as {
    readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  };
  const known = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
  if (apiVersion !== 'v1' && !known.includes(apiVersion)) return {};
  const { resources } = (await cluster.request({ method: 'GET', path: groupPath(apiVersion) })) as {
    readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
  };
  const whole = resources.filter(({ name }) => !name.includes('/'));
  return Object.fromEntries(whole.map(({ kind, namespaced }) => [`${apiVersion}/${kind}`, namespaced]));
}
