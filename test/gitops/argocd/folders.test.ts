import { foldersOf } from '#lib/gitops/argocd/application-folder';
import { checkApplicationNames } from '#lib/gitops/argocd/application-names';
import { folderCondition, folderValue } from '#lib/gitops/argocd/folder-template';
import { chart, cluster, DEFINITION, folder } from './inventories';

describe('the folders of an ApplicationSet', () => {
  test('a folder is a chart when it has one, with its cluster and stage', () => {
    const clusters = [cluster('a', folder('x', { stage: 3, charts: [chart(['/Secret'])] })), cluster('b', folder('y'))];
    expect(foldersOf(clusters)).toEqual([
      { cluster: 'a', namespace: 'x', stage: 3, chart: true, onlyDefinitions: false, onlyOutOfSync: false },
      { cluster: 'b', namespace: 'y', stage: 0, chart: false, onlyDefinitions: false, onlyOutOfSync: false },
    ]);
  });

  test.each([
    ['only definitions', [chart([DEFINITION]), chart([DEFINITION])], true],
    ['definitions and more in one chart', [chart([DEFINITION, '/Secret'])], false],
    ['definitions and more in two charts', [chart([DEFINITION]), chart(['/Secret'])], false],
    ['no chart', [], false],
  ])('%s', (_, charts, only) => {
    expect(foldersOf([cluster('a', folder('x', { charts }))])[0]?.onlyDefinitions).toBe(only);
  });
});

describe('the names of Applications', () => {
  test('may be as long as a label', () => {
    expect(checkApplicationNames([{ cluster: 'c'.repeat(9), namespace: 'n'.repeat(53), chart: true }])).toEqual([]);
  });

  test('a name that is too long for a label is reported with the excess', () => {
    expect(checkApplicationNames([{ cluster: 'c'.repeat(40), namespace: 'n'.repeat(25) }])).toMatchObject([
      { code: 'name-too-long', parameters: { length: 66, most: 63, excess: 3 } },
    ]);
  });

  test('a namespace that is too long for a release name matters for charts only', () => {
    const namespace = 'n'.repeat(54);
    expect(checkApplicationNames([{ cluster: 'c', namespace, chart: true }])).toMatchObject([
      { code: 'name-too-long', parameters: { folder: `c/${namespace}`, length: 54, most: 53, excess: 1 } },
    ]);
    expect(checkApplicationNames([{ cluster: 'c', namespace }])).toEqual([]);
  });

  test('folders whose names join to the same are reported', () => {
    const folders = [
      { cluster: 'eu', namespace: 'west-shop' },
      { cluster: 'eu-west', namespace: 'shop' },
    ];
    const parameters = { one: 'eu/west-shop', other: 'eu-west/shop', name: 'eu-west-shop' };
    expect(checkApplicationNames(folders)).toMatchObject([{ code: 'application-name-collision', parameters }]);
  });
});

describe('what a template reads of a folder', () => {
  const at = (cluster: string, namespace: string, stage = 0, chart = false) => ({ cluster, namespace, stage, chart });
  const stage = ({ stage = 0 }) => String(stage);
  const chart = ({ chart = false }) => chart;

  test('uses the name of folders as its key where all folders of that name agree', () => {
    const folders = [at('b', 'linkerd', 2), at('a', 'linkerd', 2), at('a', 'cert-manager', 1)];
    expect(folderValue(folders, stage, () => 'dist/')).toBe(
      'get (dict "cert-manager" "1" "linkerd" "2") .path.basename',
    );
  });

  test('uses the path of a folder as its key where folders of a name differ', () => {
    const folders = [at('b', 'linkerd', 3), at('a', 'linkerd', 2), at('a', 'shop', 4)];
    expect(folderValue(folders, stage, () => 'x/y/')).toBe(
      'get (dict "x/y/a/linkerd" "2" "x/y/b/linkerd" "3") .path.path | default (get (dict "shop" "4") .path.basename)',
    );
  });

  test('consists of one condition where only paths matter', () => {
    expect(folderCondition([at('a', 'y', 0, true), at('b', 'y')], chart, () => '')).toBe('has .path.path (list "a/y")');
  });
});
