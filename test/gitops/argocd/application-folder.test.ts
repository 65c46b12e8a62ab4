import { foldersOf } from '../../../lib/gitops/argocd/application-folder';
import { chart, cluster, DEFINITION, folder } from './inventories';

test('a folder is a chart when it has one, with its cluster and stage', () => {
  const clusters = [cluster('a', folder('x', { stage: 3, charts: [chart(['/Secret'])] })), cluster('b', folder('y'))];
  expect(foldersOf(clusters)).toEqual([
    { cluster: 'a', namespace: 'x', stage: 3, chart: true, onlyDefinitions: false, onlyOutOfSync: false },
    { cluster: 'b', namespace: 'y', stage: 0, chart: false, onlyDefinitions: false, onlyOutOfSync: false },
  ]);
});

test('a folder with objects that controllers change applies only what differs', () => {
  const left = [{ kind: 'Service', name: 'web', namespace: 'x', jsonPointers: ['/spec/selector/hash'] }];
  expect(foldersOf([cluster('a', folder('x', { left }))])[0]?.onlyOutOfSync).toBe(true);
});

test.each([
  ['only definitions', [chart([DEFINITION]), chart([DEFINITION])], true],
  ['definitions and more in one chart', [chart([DEFINITION, '/Secret'])], false],
  ['definitions and more in two charts', [chart([DEFINITION]), chart(['/Secret'])], false],
  ['no chart', [], false],
])('%s', (_, charts, only) => {
  expect(foldersOf([cluster('a', folder('x', { charts }))])[0]?.onlyDefinitions).toBe(only);
});
