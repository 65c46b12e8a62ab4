import { dirname } from 'node:path';
import { byRoom, checkCircles, checkOrder, type Imports, readImports } from './imports';

/** The folders of the library: each may import folders above it in this list, and none below. */
const LIBRARY_ROOMS = [
  'lib/checks',
  'lib/checks/policy',
  'lib/checks/linkerd',
  'lib/checks/cluster',

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
  'lib/review/live',
  'lib/review/status',
  'lib/review/doctor',

  'lib/cli',

  'lib',
];

const imports = readImports('lib');

test('imports between folders of the library point in one direction', () => {
  expect(checkOrder(byRoom(imports, LIBRARY_ROOMS), LIBRARY_ROOMS)).toEqual([]);
});

test('every folder in the order of the library exists', () => {
  const rooms = new Set([...byRoom(imports, LIBRARY_ROOMS).keys()].map((file) => dirname(file)));
  expect(LIBRARY_ROOMS.filter((room) => !rooms.has(room))).toEqual([]);
});

test('the library’s files have no import cycles', () => expect(checkCircles(imports)).toEqual([]));

test('checkOrder treats a subfolder that the order does not list as part of its parent', () => {
  const wrong: Imports = new Map([
    ['lib/gitops/charts/viz/view.ts', ['lib/constructs/pki/deep/root.ts']],
    ['lib/constructs/mesh.ts', ['lib/cli/render.ts']],
  ]);
  expect(checkOrder(byRoom(wrong, LIBRARY_ROOMS), LIBRARY_ROOMS)).toEqual([
    'lib/gitops/charts/viz:view.ts imports lib/constructs/pki/deep:root.ts, which stands above it',
    'lib/constructs/mesh.ts imports lib/cli/render.ts, which stands above it',
  ]);
});
