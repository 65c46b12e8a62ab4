import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RELEASES } from '#linkerd/releases/known-releases';
import { withGroup, withPins, withRow } from '#tools/release/data-edits';

const ROOT = join(__dirname, '..', '..', '..');
const read = (...path: readonly string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const data = (file: string) => read('packages', 'linkerd', 'releases', file);

/** The lines of one text that the other lacks. */
function added(before: string, after: string): readonly string[] {
  const lines = before.split('\n');
  const more = after.split('\n').filter((line) => !lines.includes(line));
  expect(after.split('\n').filter((line) => !more.includes(line))).toEqual(lines);
  return more;
}

const [[newest, , , controlPlane, , viz, cni, crds]] = RELEASES;

test('withRow adds a release before all others', () => {
  const source = data('known-releases.ts');
  const row = ['edge-99.1.1', '2099-01-01', '9.9', 'a', 'b', 'c', 'd', 'e'];
  const result = withRow(source, row);
  expect(added(source, result)).toEqual(["  ['edge-99.1.1', '2099-01-01', '9.9', 'a', 'b', 'c', 'd', 'e'],"]);
  expect(result.indexOf('edge-99.1.1')).toBeLessThan(result.indexOf(`['${newest}'`));
});

test.each([
  ['groups/control-plane.ts', controlPlane],
  ['groups/viz.ts', viz],
  ['groups/cni.ts', cni],
  ['groups/crds.ts', crds],
])('withGroup adds a group to %s with the templates of the previous group', (file, group) => {
  const source = data(file);
  const before = source.split('\n').find((line) => line.startsWith(`  '${group}': {`)) ?? '';
  const result = withGroup(source, group, { group: 'edge-99.1.1', values: 'edge-99.1.0' });
  expect(added(source, result)).toEqual([
    before.replace(`'${group}'`, "'edge-99.1.1'").replace(/values: '[^']+'/, "values: 'edge-99.1.0'"),
  ]);
});

test('withGroup refuses a group with a missing model, and an existing group', () => {
  const entry = { group: 'edge-99.1.1', values: 'x' };
  expect(() => withGroup(data('groups/viz.ts'), 'edge-1.1.1', entry)).toThrow(
    "'edge-1.1.1' has no entry on a single line",
  );
  const again = { ...entry, group: viz };
  expect(() => withGroup(data('groups/viz.ts'), viz, again)).toThrow(`'${viz}' already has an entry`);
});

test('withPins adds pins next to those of other releases of the same chart', () => {
  const yaml = read('cdk8s.yaml');
  const name = (file: string) => `charts/linkerd-viz/edge-99.1.1/${file}`;
  const url = 'https://raw.githubusercontent.com/linkerd/linkerd2/edge-99.1.1/viz/charts/linkerd-viz';
  const files = ['values.yaml', 'values-ha.yaml'];
  const result = withPins(yaml, 'linkerd-viz', 'edge-99.1.1', files);
  expect(added(yaml, result)).toEqual(files.map((file) => `  - ${name(file)}:=${url}/${file}`));
  expect(result.indexOf('edge-99.1.1')).toBeLessThan(result.indexOf('linkerd-viz/stable'));
  expect(() => withPins(yaml, 'linkerd-control', 'edge-99.1.1', files)).toThrow('no pins of linkerd-control');
});
