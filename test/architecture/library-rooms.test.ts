import { checkCircles, checkOrder, type Imports, readImports } from './imports';

/** The rooms of the library: each may import those above it, and none below. */
const LIBRARY_ROOMS = [
  // Words and pure functions.
  'lib/problems',
  'lib/kubernetes',
  'lib/releases',
  'lib/schema',
  'lib/checks',
  // What constructs are made of.
  'lib/tree',
  'lib/charts',
  // One family of constructs each.
  'lib/pki',
  'lib/control-plane',
  'lib/viz',
  'lib/tracing',
  'lib/multus',
  'lib/multicluster',
  'lib/policy',
  'lib/workloads',
  'lib/operator',
  'lib/rotation',
  'lib/mesh',
  // From constructs to files.
  'lib/synth',
  'lib/argocd',
  // From files to what differs.
  'lib/compare',
  'lib/upgrade',
  'lib/report',
  'lib/diff',
  'lib/platform',
  'lib/fleet',
  'lib/cli',
  'lib/index',
];

const imports = readImports('lib');

test('imports point one way between the rooms of the library', () => {
  expect(checkOrder(byRoom(imports), LIBRARY_ROOMS)).toEqual([]);
});

test('every room in the order is there', () => {
  const files = [...byRoom(imports).keys()];
  expect(LIBRARY_ROOMS.filter((room) => !files.some((file) => file.startsWith(`${room}/`)))).toEqual([]);
});

test('no file of the library imports itself by way of others', () => {
  expect(checkCircles(imports)).toEqual([]);
});

test('a room is one with the folders in it, and a file beside the rooms is one by itself', () => {
  const wrong: Imports = new Map([
    ['lib/charts/viz/view.ts', ['lib/pki/deep/root.ts']],
    ['lib/mesh.ts', ['lib/cli/render.ts']],
  ]);
  expect(checkOrder(byRoom(wrong), LIBRARY_ROOMS)).toEqual([
    'lib/charts/viz:view.ts imports lib/pki/deep:root.ts, which stands above it',
    'lib/mesh/mesh.ts imports lib/cli/render.ts, which stands above it',
  ]);
});

/** The same imports, each file directly in its room. */
function byRoom(of: Imports): Imports {
  return new Map([...of].map(([file, imported]) => [inRoom(file), imported.map(inRoom)]));
}

function inRoom(file: string): string {
  const [lib = '', room = '', ...rest] = file.split('/');
  return rest.length === 0 ? `${lib}/${room.replace(/\.ts$/, '')}/${room}` : `${lib}/${room}/${rest.join(':')}`;
}
