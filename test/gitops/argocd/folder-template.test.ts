import { folderCondition, folderValue } from '../../../lib/gitops/argocd/folder-template';

const at = (cluster: string, namespace: string, stage = 0, chart = false) => ({ cluster, namespace, stage, chart });
const stage = ({ stage = 0 }) => String(stage);
const chart = ({ chart = false }) => chart;

test('what all folders of a name agree on is looked up by the name', () => {
  const folders = [at('b', 'linkerd', 2), at('a', 'linkerd', 2), at('a', 'cert-manager', 1)];
  expect(folderValue(folders, stage, () => 'dist/')).toBe('get (dict "cert-manager" "1" "linkerd" "2") .path.basename');
});

test('what they do not agree on is looked up by the path', () => {
  const folders = [at('b', 'linkerd', 3), at('a', 'linkerd', 2), at('a', 'shop', 4)];
  expect(folderValue(folders, stage, () => 'x/y/')).toBe(
    'get (dict "x/y/a/linkerd" "2" "x/y/b/linkerd" "3") .path.path | default (get (dict "shop" "4") .path.basename)',
  );
});

test('no folder needs no condition', () => {
  expect(folderCondition([at('a', 'linkerd')], chart, () => '')).toBeUndefined();
});

test('a condition names what is chosen, by name or by path', () => {
  const folders = [at('a', 'x', 0, true), at('b', 'x', 0, true), at('a', 'y', 0, true), at('b', 'y'), at('a', 'z')];
  expect(folderCondition(folders, chart, () => '')).toBe(
    'or (has .path.basename (list "x")) (has .path.path (list "a/y"))',
  );
});

test('a condition on paths alone stands alone', () => {
  expect(folderCondition([at('a', 'y', 0, true), at('b', 'y')], chart, () => '')).toBe('has .path.path (list "a/y")');
});
