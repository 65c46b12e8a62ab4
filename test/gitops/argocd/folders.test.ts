import { foldersOf } from '#lib/gitops/argocd/application-folder';
import { checkApplicationNames } from '#lib/gitops/argocd/application-names';
import { folderCondition, folderValue } from '#lib/gitops/argocd/folder-template';
import { chart, cluster, DEFINITION, folder } from './inventories';

describe('the folders of an ApplicationSet', () => {
  test('have their cluster and stage, and whether they contain a chart', () => {
    const clusters = [cluster('a', folder('x', { stage: 3, charts: [chart(['/Secret'])] })), cluster('b', folder('y'))];
    expect(foldersOf(clusters)).toEqual([
      { cluster: 'a', namespace: 'x', stage: 3, chart: true, onlyDefinitions: false, onlyOutOfSync: false },
      { cluster: 'b', namespace: 'y', stage: 0, chart: false, onlyDefinitions: false, onlyOutOfSync: false },
    ]);
  });

  test.each([
    ['charts of CRDs', [chart([DEFINITION]), chart([DEFINITION])], true],
    ['a chart of CRDs and other kinds', [chart([DEFINITION, '/Secret'])], false],
    ['a chart of CRDs and a chart of other kinds', [chart([DEFINITION]), chart(['/Secret'])], false],
    ['no chart', [], false],
  ])('contain only CRDs if all charts do: %s', (_, charts, only) => {
    expect(foldersOf([cluster('a', folder('x', { charts }))])[0]?.onlyDefinitions).toBe(only);
  });
});

describe('the names of Applications', () => {
  test('may be as long as a label', () => {
    expect(checkApplicationNames([{ cluster: 'c'.repeat(9), namespace: 'n'.repeat(53), chart: true }])).toEqual([]);
  });

  test('that are too long for a label are reported with the excess', () => {
    expect(checkApplicationNames([{ cluster: 'c'.repeat(40), namespace: 'n'.repeat(25) }])).toMatchObject([
      { code: 'name-too-long', parameters: { length: 66, most: 63, excess: 3 } },
    ]);
  });

  test('with a namespace that is too long for a Helm release are reported for charts only', () => {
    const namespace = 'n'.repeat(54);
    expect(checkApplicationNames([{ cluster: 'c', namespace, chart: true }])).toMatchObject([
      { code: 'name-too-long', parameters: { folder: `c/${namespace}`, length: 54, most: 53, excess: 1 } },
    ]);
    expect(checkApplicationNames([{ cluster: 'c', namespace }])).toEqual([]);
  });

  test('that are equal for two folders are reported', () => {
    const folders = [
      { cluster: 'eu', namespace: 'west-shop' },
      { cluster: 'eu-west', namespace: 'shop' },
    ];
    const parameters = { one: 'eu/west-shop', other: 'eu-west/shop', name: 'eu-west-shop' };
    expect(checkApplicationNames(folders)).toMatchObject([{ code: 'application-name-collision', parameters }]);
  });
});

describe('the template expression about a folder', () => {
  const at = (cluster: string, namespace: string, stage = 0, chart = false) => ({ cluster, namespace, stage, chart });
  const stage = ({ stage = 0 }) => String(stage);
  const chart = ({ chart = false }) => chart;

  test('looks up the name of folders if all folders of the name have the same value', () => {
    const folders = [at('b', 'linkerd', 2), at('a', 'linkerd', 2), at('a', 'cert-manager', 1)];
    expect(folderValue(folders, stage, () => 'dist/')).toBe(
      'get (dict "cert-manager" "1" "linkerd" "2") .path.basename',
    );
  });

  test('looks up the path of a folder if folders of the same name have different values', () => {
    const folders = [at('b', 'linkerd', 3), at('a', 'linkerd', 2), at('a', 'shop', 4)];
    expect(folderValue(folders, stage, () => 'x/y/')).toBe(
      'get (dict "x/y/a/linkerd" "2" "x/y/b/linkerd" "3") .path.path | default (get (dict "shop" "4") .path.basename)',
    );
  });

  test('has one condition if it depends on paths only', () => {
    expect(folderCondition([at('a', 'y', 0, true), at('b', 'y')], chart, () => '')).toBe('has .path.path (list "a/y")');
  });
});
