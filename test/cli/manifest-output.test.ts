import { outputInFolder } from '#bin/folder-output';
import { foldersOfManifests, outputsOfManifests } from '#lib/cli/manifest-output';
import { fleetIntent } from '#lib/review/status/intent';

test('manifests have the same information about a cluster as the output of a Platform', () => {
  const home = outputInFolder('dist').get('home') ?? new Map<string, string>();
  const manifests = [...home].filter(
    ([path]) => path.endsWith('.yaml') && !/\/(?:Chart|values|\.argocd-source)\.yaml$/.test(path),
  );
  const outputs = outputsOfManifests(new Map([['all.yaml', manifests.map(([, text]) => `---\n${text}`).join('')]]));
  expect(outputs).toHaveLength(1);
  // Manifests have no folders and sources of Argo CD, and no charts.
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

test('a HelmRelease becomes a chart in the output, with its values', () => {
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

test('files without manifests belong to one output', () => {
  const outputs = outputsOfManifests(new Map([['values.yaml', 'proxy: {}\n']]));
  expect(outputs.map((output) => output.size)).toEqual([1]);
});

test.each<readonly [what: string, files: readonly string[], folders: readonly string[]]>([
  ['one cluster', ['a/x.yaml'], ['a']],
  ['a file per folder', ['clusters/a/x.yaml', 'clusters/b/x.yaml', 'shared/z.yaml'], ['clusters/a', 'clusters/b']],
  ['several files per folder', ['c/a/1/x.yaml', 'c/a/2/z.yaml', 'c/b/x.yaml', 'c/b/z.yaml'], ['c/a', 'c/b']],
  ['a file for each cluster', ['c/x.yaml', 'c/other.x.yaml'], ['c/x.yaml', 'c/other.x.yaml']],
  ['absolute paths', ['/a/x.yaml', '/b/x.yaml'], ['/a', '/b']],
])('foldersOfManifests finds the place of each cluster: %s', (_, files, folders) => {
  const texts = files.map((file) => {
    const name = file.replace(/^.*[/.](?=\w\.yaml$)|\.yaml$/g, '');
    return [file, `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: shop }\n`] as const;
  });
  expect(foldersOfManifests(new Map(texts))).toEqual(folders);
});
