import servedApiVersions from '#helm/chart/served-api-versions.json';
import { sharedCluster } from '../support/cluster/cluster';
import { groupPath } from '../support/cluster/resources';

test('an API server serves all API versions that templates have by default', async () => {
  const cluster = await sharedCluster();
  const groupVersions = [...new Set(servedApiVersions.map((text) => text.replace(/\/[A-Z]\w*$/, '')))];
  const served = await Promise.all(
    groupVersions.map(async (groupVersion) => {
      const { resources } = (await cluster.request({ method: 'GET', path: groupPath(groupVersion) })) as {
        readonly resources: readonly { readonly kind: string }[];
      };
      return [groupVersion, ...resources.map(({ kind }) => `${groupVersion}/${kind}`)];
    }),
  );
  const all = new Set(served.flat());
  expect(servedApiVersions.filter((version) => !all.has(version))).toEqual([]);
});
