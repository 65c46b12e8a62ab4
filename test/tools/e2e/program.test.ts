import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allFilesInFolder } from '#bin/folder-output';
import type { KubernetesObject } from '#lib/kubernetes/kubernetes-object';
import { outputDiff } from '#lib/review/diff/diff';
import { renderDiff } from '#lib/review/diff/formats/render';
import { foldersOf, missingCharts } from '#tools/e2e/folders';
import { CLUSTER, FIRST_STATE, type ProgramSettings, type ProgramState, writeOutput } from '#tools/e2e/program';
import { restartsIn } from '#tools/e2e/steps/status';
import { waves } from '#tools/e2e/sync';

const SETTINGS: ProgramSettings = {
  run: 'e2e-test',
  existingCertManager: false,
  existingGatewayApi: false,
  rate: 20,
  propagationSeconds: 120,
};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'e2e-'));
  for (const [name, version] of [
    ['cert-manager', 'v1.21.1'],
    ['trust-manager', 'v0.24.0'],
    ['linkerd-crds', '2026.8.3'],
  ] as const) {
    writeChart(name, version);
  }
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function writeChart(name: string, version: string): void {
  const chart = join(folder, 'charts', name);
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), `apiVersion: v2\nname: ${name}\nversion: ${version}\n`);
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}-{{ .Capabilities.KubeVersion.Version }}\n`;
  writeFileSync(join(chart, 'templates', 'config.yaml'), text);
}

function objectsOf(state: ProgramState = FIRST_STATE, settings: Partial<ProgramSettings> = {}) {
  const outdir = join(folder, 'dist');
  writeOutput(outdir, { ...SETTINGS, ...settings }, state);
  return foldersOf({ folder: join(outdir, CLUSTER), charts: join(folder, 'charts'), kubeVersion: 'v1.33.1' });
}

function find(folders: ReadonlyMap<string, readonly KubernetesObject[]>, kind: string, name: string) {
  return [...folders.values()].flat().find((object) => object.kind === kind && object.metadata.name === name);
}

describe('the program of an end-to-end run', () => {
  test('renders charts as Argo CD does: for the version of the cluster, into the namespace of the folder', () => {
    const config = find(objectsOf(), 'ConfigMap', 'cert-manager-v1.33.1');
    expect(config?.metadata.namespace).toBe('cert-manager');
  });

  test('names the charts that are missing, and none that is there', () => {
    objectsOf();
    const output = { folder: join(folder, 'dist', CLUSTER) };
    expect(missingCharts({ ...output, charts: join(folder, 'charts') })).toEqual([]);
    const missing = missingCharts({ ...output, charts: join(folder, 'nothing') });
    expect(missing.map(({ name }) => name)).toEqual(['cert-manager', 'trust-manager', 'linkerd-crds']);
  });

  test('starts no client before it has its proxy: it would count as one of the mesh and be none', () => {
    const folders = objectsOf();
    for (const namespace of ['linkerd-e2e', 'linkerd-e2e-strangers']) {
      expect(find(folders, 'ValidatingAdmissionPolicy', `linkerd-require-proxy-${namespace}`)).toBeDefined();
    }
  });

  test('changes by state: the rotation, the value of the mesh, and who may reach the server', () => {
    const first = objectsOf();
    const rotated = objectsOf({ ...FIRST_STATE, rotateNow: 'now' });
    expect(find(first, 'TrustAnchor', 'linkerd')?.spec).not.toHaveProperty('rotateNow');
    expect(find(rotated, 'TrustAnchor', 'linkerd')?.spec).toHaveProperty('rotateNow', 'now');
    const json = objectsOf({ ...FIRST_STATE, logFormat: 'json' });
    expect(find(json, 'LinkerdConfig', 'linkerd')?.spec).toHaveProperty('values.proxy.logFormat', 'json');
    const kinds = (folders: typeof first) => [...folders.values()].flat().map(({ kind }) => kind);
    expect(kinds(first)).not.toContain('Server');
    expect(kinds(objectsOf({ ...FIRST_STATE, isClosed: true }))).toContain('Server');
  });

  test('is that of a mesh of others without an operator: the same pods with the same proxies', () => {
    const pods = (folders: ReturnType<typeof objectsOf>) =>
      folders.get('linkerd-e2e')?.filter(({ kind }) => kind === 'Deployment');
    const before = objectsOf({ ...FIRST_STATE, isOperated: false });
    expect(before.has('linkerd-reconciler')).toBe(false);
    expect(find(before, 'Certificate', 'linkerd-trust-anchor')).toBeDefined();
    expect(pods(before)).toEqual(pods(objectsOf()));
  });

  test('changes so that diff foretells the restarts that the walk looks for', () => {
    const earlier = join(folder, 'earlier');
    writeOutput(earlier, SETTINGS, FIRST_STATE);
    const later = join(folder, 'later');
    writeOutput(later, SETTINGS, { ...FIRST_STATE, logFormat: 'json', isClosed: true });
    const [before, after] = [earlier, later].map((path) => allFilesInFolder(path, [CLUSTER]));
    const found = outputDiff({ before: before ?? new Map(), after: after ?? new Map(), from: earlier, to: later });
    expect(restartsIn(JSON.parse(renderDiff(found, 'json', 65_000)))).toEqual({
      restarted: ['Deployment linkerd-e2e/server'],
      kept: ['Deployment linkerd-e2e/client', 'Deployment linkerd-e2e-strangers/stranger'],
    });
  });
});

describe('the waves of a folder', () => {
  const object = (name: string, wave: string, kind = 'ConfigMap') => ({
    apiVersion: 'v1',
    kind,
    metadata: { name, annotations: { 'argocd.argoproj.io/sync-wave': wave } },
  });

  test('are in the order of their numbers, and each begins with namespaces and definitions', () => {
    const objects = [object('d', '10'), object('b', '-5'), object('c', '2'), object('a', '-5', 'Namespace')];
    expect(waves(objects).map((wave) => wave.map(({ metadata }) => metadata.name))).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  test('without a wave are wave 0', () => {
    const plain = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'plain' } };
    expect(
      waves([object('later', '1'), plain])
        .flat()
        .map(({ metadata }) => metadata.name),
    ).toEqual(['plain', 'later']);
  });
});
