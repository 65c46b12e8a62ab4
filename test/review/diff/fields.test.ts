import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isSameValue } from '#base/same-value';
import { isMap, type Value, type Values } from '#base/values';
import { Seal } from '#kubernetes/findings/sealed-data';
import { FileReader } from '#lib/gitops/changes/file-contents';
import { schemaOfKind } from '#lib/review/compare/value-changes';
import { fieldDifferences } from '#lib/review/diff/fields';
import type { FieldDifference } from '#lib/review/diff/model';
import { runs } from '../../support/depth';
import { apply, withContents } from './apply';

const DIST = join(__dirname, '../../../dist');

/** Objects with a text that is too long to compare: diff shows only its hash. */
const LONG = /program|mesh-dashboard/;

/** All other objects of this repository's output. */
const objects = readdirSync(DIST, { recursive: true, withFileTypes: true }).flatMap((entry) => {
  if (!entry.isFile() || !entry.name.endsWith('.yaml') || LONG.test(entry.name)) return [];
  const file = join(entry.parentPath, entry.name);
  const contents = new FileReader().read(
    file.slice(DIST.length + 1).replace(/^[^/]+\//, ''),
    readFileSync(file, 'utf8'),
  );
  return contents.is === 'object' ? [contents.object] : [];
});

function differences(before: Value | undefined, after: Value | undefined): readonly FieldDifference[] {
  const { apiVersion, kind } = (isMap(after) ? after : {}) as { apiVersion?: string; kind?: string };
  const seal = new Seal();
  return fieldDifferences(seal.data(before), seal.data(after), schemaOfKind(apiVersion, kind));
}

/** An edit at some place of a value: a member or an item is set, removed, copied or moved. */
interface Edit {
  readonly way: readonly number[];
  readonly what: 'set' | 'remove' | 'copy' | 'swap';
  readonly value: Value;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  way: fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
  what: fc.constantFrom('set', 'remove', 'copy', 'swap'),
  value: fc.oneof(
    fc.constantFrom<Value>(null, 0, '', 'a', [], {}, [{ name: 'a' }], { name: 'a', value: 'b' }, 'a: 1\nb: 2\n'),
    fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Value),
  ),
});

function edited(value: Value, way: readonly number[], edit: Edit): Value {
  if (Array.isArray(value)) return editedList(value, way, edit);
  return isMap(value) ? editedMap(value, way, edit) : edit.value;
}

function editedList(list: readonly Value[], [step = 0, ...way]: readonly number[], edit: Edit): Value {
  const index = list.length === 0 ? 0 : step % list.length;
  const item = list[index] ?? null;
  if (way.length > 0 && list.length > 0) return list.with(index, edited(item, way, edit));
  if (edit.what === 'remove') return list.toSpliced(index, 1);
  if (edit.what === 'swap') return list.toReversed();
  return edit.what === 'copy' ? [...list, item] : list.toSpliced(index, 0, edit.value);
}

function editedMap(map: Values, [step = 0, ...way]: readonly number[], edit: Edit): Value {
  const keys = Object.keys(map);
  const key = keys[step % Math.max(1, keys.length)] ?? 'new';
  const member = map[key] ?? null;
  if (way.length > 0 && Object.hasOwn(map, key)) return { ...map, [key]: edited(member, way, edit) };
  if (edit.what === 'remove') return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
  if (edit.what === 'swap') return Object.fromEntries(Object.entries(map).reverse());
  return edit.what === 'copy' ? { ...map, [`${key}-copy`]: member } : { ...map, [key]: edit.value };
}

test('diff lists fields that turn the earlier object into the later one', () => {
  expect(objects.length).toBeGreaterThan(200);
  fc.assert(
    fc.property(fc.constantFrom(...objects), fc.array(edit, { minLength: 1, maxLength: 4 }), (object, edits) => {
      const before = object as Value;
      const after = edits.reduce((value, one) => edited(value, one.way, one), before);
      const found = differences(before, after);
      const isSame = isSameValue(before, after);
      expect(found.length === 0).toBe(isSame);
      if (found.some(({ hidden }) => hidden)) return;
      expect(isSameValue(withContents(apply(before, found), found), withContents(after, found))).toBe(true);
    }),
    { numRuns: runs(1500) },
  );
});

test('diff lists all fields of a new or removed object', () => {
  for (const object of objects) {
    expect(apply(undefined, differences(undefined, object as Value))).toEqual(object);
    expect(apply(object as Value, differences(object as Value, undefined))).toBeUndefined();
  }
});

const pod = (container: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'a', ...container }] },
});

test('diff identifies items of lists by the merge keys of Kubernetes', () => {
  const [before, after] = [
    pod({ ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }], env: [{ name: 'x', value: '1' }] }),
    pod({
      ports: [{ containerPort: 53, protocol: 'UDP', name: 'dns' }],
      env: [{ name: 'y' }, { name: 'x', value: '2' }],
    }),
  ];
  expect(differences(before, after)).toEqual([
    {
      op: 'removed',
      path: ['spec', 'containers', { name: 'a' }, 'ports', { containerPort: 80, protocol: 'TCP' }],
      before: { containerPort: 80 },
    },
    {
      op: 'added',
      path: ['spec', 'containers', { name: 'a' }, 'ports', { containerPort: 53, protocol: 'UDP' }, 'name'],
      after: 'dns',
    },
    {
      op: 'changed',
      path: ['spec', 'containers', { name: 'a' }, 'env', { name: 'x' }, 'value'],
      before: '1',
      after: '2',
    },
    { op: 'added', path: ['spec', 'containers', { name: 'a' }, 'env', { name: 'y' }], after: { name: 'y' } },
    {
      op: 'reordered',
      path: ['spec', 'containers', { name: 'a' }, 'env'],
      before: [{ name: 'x' }],
      after: [{ name: 'y' }, { name: 'x' }],
    },
  ]);
});

test('diff compares YAML within texts by keys', () => {
  const found = differences({ data: { values: 'a: 1\nb: 2\n' } }, { data: { values: 'b: 3\n# said\na: 1\n' } });
  expect(found).toEqual([{ op: 'changed', path: ['data', 'values'], within: ['b'], before: 2, after: 3 }]);
  expect(differences({ a: 'a: 1\nb: 2\n' }, { a: 'b: 2\na: 1\n' })).toEqual([{ op: 'reworded', path: ['a'] }]);
});

test('diff shows long values as hashes', () => {
  const [found] = differences({ data: { program: 'a'.repeat(40_000) } }, { data: { program: 'b'.repeat(40_000) } });
  expect(found).toMatchObject({
    shortened: true,
    before: expect.stringMatching(/^sha256:[0-9a-f]{64} \(40000 characters\)$/),
  });
});

const secret = (data: object) =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data }) as unknown as Value;
const config = (data: object) =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data }) as unknown as Value;
const HIDE = 'hunter2hunter2';

test.each<[string, Value | undefined, Value | undefined]>([
  ['a Secret that is new', undefined, secret({ any: HIDE })],
  ['a Secret that changes', secret({ any: HIDE }), secret({ any: `${HIDE}3` })],
  ['a password', { smtp: { password: HIDE } }, { smtp: { password: `${HIDE}3` } }],
  ['a number with the name of a secret', { apiKey: 1 }, { apiKey: HIDE }],
  ['a variable', pod({ env: [{ name: 'PASSWORD', value: HIDE }] }), pod({ env: [{ name: 'PASSWORD', value: 'x' }] })],
  ['a variable with a short name', pod({ env: [] }), pod({ env: [{ name: 'DB_PASS', value: HIDE }] })],
  ['a line with a short name', config({ 'a.ini': `pwd = ${HIDE}\n` }), config({ 'a.ini': 'pwd = x\nuser = y\n' })],
  ['a variable that is new', pod({ env: [] }), pod({ env: [{ name: 'DB_PASSWORD', value: HIDE }] })],
  ['a line', config({ 'a.yaml': `smtp:\n  password: ${HIDE}\n` }), config({ 'a.yaml': 'smtp:\n  password: x\n' })],
  ['a block of a text', undefined, config({ 'a.yaml': `smtp:\n  password: |\n    ${HIDE}\n` })],
  ['a line of INI', config({ 'a.ini': `[smtp]\npassword = ${HIDE}\n` }), config({ 'a.ini': '[smtp]\npassword = x\n' })],
  ['a Secret in text', undefined, config({ 'a.yaml': `kind: Secret\nmetadata:\n  name: a\ndata:\n  any: ${HIDE}\n` })],
  ['a Secret among documents', undefined, config({ 'a.yaml': `kind: A\n---\nkind: Secret\ndata:\n  any: ${HIDE}\n` })],
  [
    'a Secret as JSON',
    undefined,
    { metadata: { annotations: { last: `{"kind":"Secret","data":{"any":"${HIDE}"}}` } } },
  ],
  ['an argument', pod({ args: ['--token', 'x'] }), pod({ args: ['--token', HIDE, '--client-secret', HIDE] })],
  ['a header', pod({ args: ['a'] }), pod({ args: [`curl -H "Authorization: Bearer ${HIDE}" x`] })],
  ['a variable with a header', pod({ env: [] }), pod({ env: [{ name: 'H', value: `Bearer ${HIDE}${HIDE}` }] })],
  ['a login', { url: `https://me:${HIDE}@example.com` }, { url: 'https://example.com' }],
])('diff hides %s', (_, before, after) => {
  const found = differences(before, after);
  expect(found.length).toBeGreaterThan(0);
  expect(JSON.stringify(found)).not.toContain(HIDE);
  expect(found.some(({ hidden }) => hidden)).toBe(true);
});
