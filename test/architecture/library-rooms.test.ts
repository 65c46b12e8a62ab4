import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkCircles, checkOrder, type Imports, readImports } from './imports';

/** The folders of the library, by its seven rooms: each may import those above it, and none below. */
const LIBRARY_ROOMS = [
  'lib/helm/template',
  'lib/helm/go',
  'lib/helm/yaml',
  'lib/helm/functions',
  'lib/helm/chart',
  'lib/helm',

  'lib/kubernetes/findings',
  'lib/kubernetes',
  'lib/kubernetes/schemas',
  'lib/kubernetes/api-rules',
  'lib/kubernetes/checks',

  'lib/linkerd',
  'lib/linkerd/releases',
  'lib/linkerd/policy',
  'lib/linkerd/checks',
  'lib/linkerd/charts',

  'lib/gitops/tree',
  'lib/gitops/charts',
  'lib/gitops/synth',
  'lib/gitops/argocd',
  'lib/gitops/changes',
  'lib/gitops/platform',
  'lib/gitops/testing',

  'lib/constructs/pki',
  'lib/constructs/control-plane',
  'lib/constructs/viz',
  'lib/constructs/tracing',
  'lib/constructs/multus',
  'lib/constructs/multicluster',
  'lib/constructs/policy',
  'lib/constructs/meshing',
  'lib/constructs/operator',
  'lib/constructs/rotation',
  'lib/constructs/monitoring',
  'lib/constructs',
  'lib/constructs/fleet',
  'lib/constructs/recipes',

  'lib/review',
  'lib/review/compare',
  'lib/review/upgrade',
  'lib/review/report',
  'lib/review/diff',
  'lib/review/status',
  'lib/review/doctor',

  'lib/cli',

  'lib',
];

const ROOT = join(__dirname, '..', '..');
const imports = readImports('lib');

test('imports point one way between the rooms of the library', () => {
  expect(checkOrder(byRoom(imports), LIBRARY_ROOMS)).toEqual([]);
});

test('every room in the order is there', () => {
  const rooms = new Set([...byRoom(imports).keys()].map((file) => dirname(file)));
  expect(LIBRARY_ROOMS.filter((room) => !rooms.has(room))).toEqual([]);
});

test('no file of the library imports itself by way of others', () => {
  expect(checkCircles(imports)).toEqual([]);
});

test('a room is one with the folders in it that the order does not name', () => {
  const wrong: Imports = new Map([
    ['lib/linkerd/charts/viz/view.ts', ['lib/constructs/pki/deep/root.ts']],
    ['lib/constructs/mesh.ts', ['lib/cli/render.ts']],
  ]);
  expect(checkOrder(byRoom(wrong), LIBRARY_ROOMS)).toEqual([
    'lib/linkerd/charts/viz:view.ts imports lib/constructs/pki/deep:root.ts, which stands above it',
    'lib/constructs/mesh.ts imports lib/cli/render.ts, which stands above it',
  ]);
});

describe('what could be a package of its own', () => {
  test.each([
    ['packages/base', []],
    ['lib/helm', ['operator/api/kubernetes/']],
    ['lib/kubernetes', ['operator/api/kubernetes/']],
    ['operator/api/kubernetes', []],
    ['operator/src/runtime', []],
  ])('%s imports nothing of Linkerd', (room, others) => {
    const allowed = [`${room}/`, 'packages/base/', ...others];
    const files = [...readImports('packages', 'lib', 'operator/api', 'operator/src')].filter(([file]) =>
      file.startsWith(`${room}/`),
    );
    expect(files).not.toEqual([]);
    const foreign = files.flatMap(([file, imported]) =>
      imported.filter((path) => !allowed.some((prefix) => path.startsWith(prefix))).map((path) => `${file}: ${path}`),
    );
    expect(foreign).toEqual([]);
  });

  test.each(['packages/base', 'lib/helm', 'lib/kubernetes', 'operator/api/kubernetes', 'operator/src/runtime'])(
    '%s does not name Linkerd',
    (room) => {
      const files = readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.endsWith('.ts'),
      );
      // The name of the package and its program is not the mesh's.
      const named = files.filter((file) => /(?<!cdk8s-)linkerd/i.test(readFileSync(join(ROOT, room, file), 'utf8')));
      expect(named).toEqual([]);
    },
  );
});

/** The same imports, each file directly in its room. */
function byRoom(of: Imports): Imports {
  return new Map([...of].map(([file, imported]) => [inRoom(file), imported.map(inRoom)]));
}

/** The path of a file with what lies between it and its room as part of its name. */
function inRoom(file: string): string {
  const room =
    LIBRARY_ROOMS.filter((one) => file.startsWith(`${one}/`)).toSorted((a, b) => b.length - a.length)[0] ?? 'lib';
  return `${room}/${file.slice(room.length + 1).replaceAll('/', ':')}`;
}
