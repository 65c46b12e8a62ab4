import { createdBy } from '#lib/linkerd/charts/metadata/created-by';

test('objects say who made them', () => {
  expect(createdBy({ cliVersion: undefined, linkerdVersion: 'edge-26.8.3' })).toEqual({
    'linkerd.io/created-by': 'cdk8s-linkerd edge-26.8.3',
  });
});

test('values may name another tool', () => {
  expect(createdBy({ cliVersion: 'linkerd/cli edge-26.8.3', linkerdVersion: 'edge-26.8.3' })).toEqual({
    'linkerd.io/created-by': 'linkerd/cli edge-26.8.3',
  });
});
