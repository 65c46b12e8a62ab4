import { valuesOwners } from '#operator/src/config/objects/values-owners';
import { ownership } from '#test/support/operator/config-fixture';

test('owners of the values are those whose fields hold them, whatever the operation', () => {
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

test('a manager that both updated and applied counts once', () => {
  const entries = [ownership('helm'), ownership('helm', { operation: 'Update' })];
  expect(valuesOwners(entries, 'us')).toEqual({ ours: false, others: ['helm'] });
});

test('writes of subresources do not count', () => {
  expect(valuesOwners([ownership('x', { subresource: 'status' })], 'us').others).toEqual([]);
});

test('where nothing is known there is nobody', () => {
  expect(valuesOwners(undefined, 'us')).toEqual({ ours: false, others: [] });
});
