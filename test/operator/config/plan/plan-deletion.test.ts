import { FIELD_MANAGER, RESTORE_FINALIZER } from '#operator/api/names';
import { keptBaseline, linkerdConfig, valuesConfigMap } from '#test/support/operator/config-fixture';
import { DEBUG, DEBUG_HASH, FOUND, kept, OTHER, plan, wantsDebug } from './planned';

const restoring = {
  finalizers: ['other/finalizer', RESTORE_FINALIZER],
  spec: { ...wantsDebug, deletionPolicy: 'Restore' as const },
  status: { valuesHash: DEBUG_HASH },
};
const deleted = linkerdConfig({ ...restoring, deletionTimestamp: '2026-11-02T00:00:00Z' });
const restored = [{ do: 'delete-baseline' }, { do: 'remove-finalizer' }];

test('Restore brings back the original text, byte for byte', () => {
  expect(plan(deleted, valuesConfigMap(DEBUG, FIELD_MANAGER), kept)).toEqual({
    steps: [{ do: 'write-values', text: FOUND }, ...restored],
    notes: [expect.objectContaining({ type: 'Normal', reason: 'Restored' })],
  });
});

test('Restore also undoes a change of style', () => {
  const restyled = valuesConfigMap('{"proxy": {"logLevel": "warn", "uid": 2102}}', 'kubectl-edit');
  expect(plan(deleted, restyled, kept).steps).toEqual([{ do: 'write-values', text: FOUND }, ...restored]);
});

test('Restore keeps what an installer wrote since', () => {
  expect(plan(deleted, valuesConfigMap(OTHER, 'helm'), kept).steps).toEqual(restored);
});

test('Restore does not touch the baseline of another LinkerdConfig', () => {
  const theirs = keptBaseline({ text: FOUND, adoptedBy: 'uid-other' });
  expect(plan(deleted, valuesConfigMap(DEBUG, FIELD_MANAGER), theirs).steps).toEqual([{ do: 'remove-finalizer' }]);
});

test('Restore does not wait for objects that are already deleted', () => {
  expect(plan(deleted).steps).toEqual([{ do: 'remove-finalizer' }]);
  expect(plan(deleted, undefined, kept).steps).toEqual(restored);
});

test('Restore goes back to the kept baseline if an installer wrote invalid YAML', () => {
  expect(plan(deleted, valuesConfigMap('a: [', 'helm'), kept).steps[0]).toEqual({ do: 'write-values', text: FOUND });
});

test.each([
  ['is empty', {}],
  ['is not YAML', { values: 'a: [' }],
])('Restore keeps the configuration in force if the baseline %s', (_how, data: Readonly<Record<string, string>>) => {
  const baseline = { ...kept, data };
  expect(plan(deleted, valuesConfigMap(DEBUG, FIELD_MANAGER), baseline).steps).toEqual([{ do: 'remove-finalizer' }]);
});

test('Retain keeps everything, even if chosen during the deletion', () => {
  const config = linkerdConfig({ finalizers: [RESTORE_FINALIZER], deletionTimestamp: '2026-11-02T00:00:00Z' });
  expect(plan(config, valuesConfigMap(DEBUG, FIELD_MANAGER), kept).steps).toEqual([{ do: 'remove-finalizer' }]);
});

test('the operator does nothing for a deleted LinkerdConfig without its finalizer', () => {
  const config = linkerdConfig({ deletionTimestamp: '2026-11-02T00:00:00Z' });
  expect(plan(config, valuesConfigMap(DEBUG, FIELD_MANAGER), kept)).toEqual({ steps: [], notes: [] });
});
