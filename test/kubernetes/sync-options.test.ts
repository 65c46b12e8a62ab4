import { keepOnPrune } from '../../lib/kubernetes/sync-options';

test('what is kept is neither pruned nor deleted, nor a difference', () => {
  expect(keepOnPrune()).toEqual({
    'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
    'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  });
});
