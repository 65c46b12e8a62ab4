import { join } from 'node:path';
import { outputInFolder } from '#bin/folder-output';
import { LinkerdMesh, type Mirror, Multicluster, OperatorImage, Platform, Prometheus } from '#lib';
import { type Artifacts, artifactsOf, outside } from '#lib/cli/artifacts';
import { HelmRelease } from '#lib/gitops/charts/helm-release';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { external, home, stable } from '../../main';
import { temporaryDirectory } from '../gitops/synth/output/tree-on-disk';

const directory = temporaryDirectory();
const MIRROR: Mirror = { charts: 'oci://registry.example.com/charts', images: 'registry.example.com/mirror' };
const PLACES = ['registry.example.com/mirror', 'oci://registry.example.com/charts'];

function artifacts(add: (platform: Platform) => void, mirror?: Mirror) {
  const outdir = join(directory.path, 'dist');
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir, mirror });
  add(platform);
  platform.synth();
  return artifactsOf(outputInFolder(outdir));
}

/** This repository's own platform: all constructs, on two releases. */
function own(platform: Platform): void {
  platform.addCluster('home', { external: external.home }, home);
  platform.addCluster('stable', { destination: { name: 'stable' }, external: external.stable }, stable);
}

const inMirror = (image: string) => {
  const [host = '', ...path] = image.split('/');
  return ['registry.example.com/mirror', ...(host.includes('.') ? path : [host, ...path])].join('/');
};

describe('a platform with a mirror', () => {
  it('pulls all images and charts from the mirror, except the image of the user’s own workload', () => {
    // `synth --check` keeps `dist/` equal to the output of this program.
    const before = artifactsOf(outputInFolder(join(__dirname, '..', '..', 'dist')));
    const after = artifacts(own, MIRROR);
    const podinfo = 'ghcr.io/stefanprodan/podinfo:6.9.0';
    expect(outside(after, PLACES)).toEqual({ images: [podinfo], charts: [] });
    const expected = before.images.map((image) => (image === podinfo ? image : inMirror(image)));
    expect(after.images).toEqual(expected.sort());
    expect(after.images.length).toBeGreaterThan(25);
    const pins = ({ charts }: Artifacts) => charts.map(({ name, version }) => `${name} ${version}`).sort();
    expect(pins(after)).toEqual(pins(before));
  });

  it.each<[LinkerdVersion, 'helm' | 'manifests']>([
    ['stable-2.14.10', 'helm'],
    ['edge-25.10.7', 'helm'],
    ['edge-25.10.7', 'manifests'],
    ['edge-26.8.3', 'helm'],
  ])('pulls all images and charts of a mesh of %s with delivery %s from the mirror', (version, delivery) => {
    const mesh = (platform: Platform) =>
      platform.addCluster('home', {}, (cluster) => {
        const { controlPlane } = new LinkerdMesh<LinkerdVersion>(cluster, 'mesh', {
          version,
          delivery,
          crds: { gatewayApi: 'install' },
          cni: {},
          viz: { prometheus: Prometheus.embedded() },
          operator: {},
          rotation: {},
        });
        if (version !== 'stable-2.14.10') new Multicluster(cluster, 'multicluster', { controlPlane, delivery });
      });
    const before = artifacts(mesh);
    const after = artifacts(mesh, MIRROR);
    expect(outside(after, PLACES)).toEqual({ images: [], charts: [] });
    expect(after.images).toEqual(before.images.map(inMirror).sort());
    expect(after.unknown).toEqual([]);
    expect(after.images).toContainEqual(expect.stringMatching(/mirror\/prom\/prometheus:/));
    expect(after.images).toContainEqual(expect.stringMatching(/mirror\/linkerd\/cni-plugin:/));
  });

  it('pulls the operator’s default image from the mirror, also if the image has options', () => {
    const registry = { kind: 'Secret', namespace: 'linkerd-reconciler', name: 'registry' } as const;
    const { images } = artifacts(
      (platform) =>
        platform.addCluster('home', { external: [registry] }, (cluster) => {
          new LinkerdMesh(cluster, 'mesh', {
            crds: { gatewayApi: 'install' },
            viz: false,
            operator: { image: OperatorImage.bundled({ pullSecrets: ['registry'] }) },
          });
        }),
      MIRROR,
    );
    expect(images).toContainEqual(expect.stringMatching(/^registry\.example\.com\/mirror\/library\/node:/));
    expect(images.filter((image) => image.startsWith('docker.io/'))).toEqual([]);
  });

  it('keeps images that values name, and images of registries without a mirror', () => {
    const { images } = artifacts(
      (platform) =>
        platform.addCluster('home', {}, (cluster) => {
          new LinkerdMesh(cluster, 'mesh', {
            crds: { gatewayApi: 'install' },
            viz: false,
            values: { controllerImage: 'other.example.com/controller' },
          });
        }),
      { images: { 'cr.l5d.io': 'registry.example.com/l5d' } },
    );
    expect(images).toContain('other.example.com/controller:edge-26.8.3');
    expect(images).toContain('registry.example.com/l5d/linkerd/proxy:edge-26.8.3');
    expect(images).toContain('quay.io/jetstack/cert-manager-controller:v1.21.1');
  });
});

test('artifactsOf applies the image values of cert-manager and its components', () => {
  const { images } = artifacts((platform) =>
    platform.addCluster('home', {}, (cluster) => {
      new HelmRelease(cluster, 'cert-manager', {
        chart: {
          name: 'cert-manager',
          version: 'v1.21.1',
          repository: 'https://charts.jetstack.io',
          kinds: [],
          foreignNamespaces: [],
        },
        namespace: 'cert-manager',
        values: {
          imageRegistry: 'a.example.com',
          image: { tag: 'v9', digest: 'sha256:1' },
          webhook: { image: { repository: 'b.example.com/webhook', registry: 'c.example.com' } },
          startupapicheck: { enabled: false },
        },
      });
    }),
  );
  expect(images).toEqual([
    'a.example.com/jetstack/cert-manager-acmesolver:v1.21.1',
    'a.example.com/jetstack/cert-manager-cainjector:v1.21.1',
    'a.example.com/jetstack/cert-manager-controller:v9@sha256:1',
    'c.example.com/b.example.com/webhook:v1.21.1',
  ]);
});
