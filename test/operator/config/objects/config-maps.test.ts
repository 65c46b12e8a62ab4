import { setImmediate } from 'node:timers/promises';
import { CONFIG_DEFAULTS } from '#operator/api/linkerd-config';
import { readConfigMaps, valuesOwners } from '#operator/src/config/objects/config-maps';
import { ownership } from '#test/support/operator/config-fixture';

test('the operator always reports the same failure if it can read neither of the two ConfigMaps', async () => {
  const refusesSecondFirst = {
    get: async (_resource: unknown, key: string): Promise<undefined> => {
      if (key === 'linkerd/linkerd-config') await setImmediate();
      throw new Error(key);
    },
  };
  await expect(readConfigMaps(refusesSecondFirst, CONFIG_DEFAULTS)).rejects.toThrow(/^linkerd\/linkerd-config$/);
});

test('the operator treats managers of the values field as its owners, whatever their operation', () => {
  const owners = valuesOwners(
    [
      ownership('argocd-controller'),
      ownership('helm', { operation: 'Update' }),
      ownership('us'),
      ownership('labeller', { fieldsV1: { 'f:metadata': { 'f:labels': {} } } }),
      ownership('other-key', { fieldsV1: { 'f:data': { 'f:global': {} } } }),
    ],
    'us',
  );
  expect(owners).toEqual({ ours: true, others: ['argocd-controller', 'helm'] });
});

test('a field manager that both updated and applied counts once', () => {
  const entries = [ownership('helm'), ownership('helm', { operation: 'Update' })];
  expect(valuesOwners(entries, 'us')).toEqual({ ours: false, others: ['helm'] });
});

test('field managers of subresources do not count', () => {
  expect(valuesOwners([ownership('x', { subresource: 'status' })], 'us').others).toEqual([]);
});
