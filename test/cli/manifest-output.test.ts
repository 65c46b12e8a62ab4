import { outputInFolder } from '#bin/folder-output';
import { outputsOfManifests } from '#lib/cli/manifest-output';
import { fleetIntent } from '#lib/review/status/intent';

test('manifests say as much about a cluster as the output of a Platform', () => {
  const home = outputInFolder('dist').get('home') ?? new Map<string, string>();
  const manifests = [...home].filter(
    ([path]) => path.endsWith('.yaml') && !/\/(?:Chart|values|\.argocd-source)\.yaml$/.test(path),
  );
  const outputs = outputsOfManifests(new Map([['all.yaml', manifests.map(([, text]) => `---\n${text}`).join('')]]));
  expect(outputs).toHaveLength(1);
  // Folders and sources are those of Argo CD, and the charts are not among the manifests.
  const intentOf = (texts: ReadonlyMap<string, string>) => {
    const [intent] = fleetIntent(new Map([['home', texts]])).clusters;
    const { folders: _, source: _source, ring: _ring, meshNamespaces = [], webhooks = [], ...rest } = { ...intent };
    return {
      ...rest,
      webhooks: [...webhooks].sort(),
      meshNamespaces: meshNamespaces.filter((name) => name !== 'linkerd-crds'),
    };
  };
  expect(intentOf(outputs[0] ?? new Map())).toEqual(intentOf(home));
});

test('a HelmRelease is the chart in the output, with its values', () => {
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: linkerd-control-plane, namespace: flux-system }
spec:
  targetNamespace: linkerd
  chart: { spec: { chart: linkerd-control-plane, version: 2026.8.3 } }
  values: { identity: { issuer: { scheme: kubernetes.io/tls } } }
`;
  const [output = new Map<string, string>()] = outputsOfManifests(new Map([['a.yaml', release]]));
  expect(output.get('linkerd/values.yaml')).toContain('scheme: kubernetes.io/tls');
  const [intent] = fleetIntent(new Map([['home', output]])).clusters;
  expect(intent).toMatchObject({ release: 'edge-26.8.3', controlPlane: 'linkerd' });
});

test('files without manifests are no cluster to compare with', () => {
  const outputs = outputsOfManifests(new Map([['values.yaml', 'proxy: {}\n']]));
  expect(outputs.map((output) => output.size)).toEqual([1]);
});
