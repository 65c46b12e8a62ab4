import { checkCircles, checkOrder, type Imports, readImports } from './imports';

/** The folders of the operator: each may import folders above it in this list, and none below. */
const OPERATOR_ROOMS = [
  // Plain data and pure functions that library and operator share. They import neither.
  'operator/api',
  'operator/api/multus',
  'operator/api/rbac',
  'operator/api/webhooks',
  'operator/api/crd',
  // Shared by several parts of the operator.
  'operator/src/flags',
  'operator/src/pki',
  'operator/src/rotation',
  'operator/src/multus',
  'operator/src/propagation/objects',
  'operator/src/propagation/kinds',
  'operator/src/propagation/plan',
  'operator/src/propagation/caches',
  'operator/src/propagation',
  'operator/src/config/objects',
  'operator/src/config/values',
  'operator/src/config/checks',
  'operator/src/config/plan',
  'operator/src/config/webhooks',
  'operator/src/config/reconcile',
  'operator/src/config',
  'operator/src/anchor/objects',
  'operator/src/anchor/observe',
  'operator/src/anchor/probe',
  'operator/src/anchor/caches',
  'operator/src/anchor/laggards',
  'operator/src/anchor/act',
  'operator/src/anchor/status',
  'operator/src/anchor/webhooks',
  'operator/src/anchor',
  // Copies the reports of operator/src/anchor.
  'operator/src/exchange',
  'operator/src',
];

/** Parts that may not import each other, although OPERATOR_ROOMS permits it. */
const STRANGERS = ['operator/src/rotation', 'operator/src/multus', 'operator/src/propagation'];

const imports = readImports('operator/src', 'operator/api');

test('imports between folders of the operator point in one direction', () => {
  expect(checkOrder(imports, OPERATOR_ROOMS)).toEqual([]);
});

test('every folder in the order of the operator exists', () => {
  const files = [...imports.keys()];
  expect(OPERATOR_ROOMS.filter((room) => !files.some((file) => file.startsWith(`${room}/`)))).toEqual([]);
});

test('the operator’s files have no import cycles', () => expect(checkCircles(imports)).toEqual([]));

test.each(STRANGERS)('%s imports no other independent part of the operator', (part) => {
  const others = STRANGERS.filter((other) => other !== part);
  expect(importsFrom(part).filter((path) => others.some((other) => path.startsWith(`${other}/`)))).toEqual([]);
});

test('checkOrder and checkCircles name each violation', () => {
  const wrong: Imports = new Map([
    ['low/a.ts', ['low/b.ts', 'high/c.ts']],
    ['low/b.ts', ['low/a.ts']],
    ['high/c.ts', ['low/b.ts']],
    ['new/d.ts', []],
  ]);
  expect(checkOrder(wrong, ['low', 'high'])).toEqual([
    'new has no place in the order',
    'low/a.ts imports high/c.ts, which stands above it',
  ]);
  expect(checkCircles(wrong)).toEqual(['low/a.ts -> low/b.ts -> low/a.ts']);
});

function importsFrom(folder: string): readonly string[] {
  return [...imports].flatMap(([file, imported]) => (file.startsWith(`${folder}/`) ? imported : []));
}
