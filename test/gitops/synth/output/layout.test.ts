import { SyncOrder } from '#lib/gitops/synth/ordering/sync-order';
import { folderFiles } from '#lib/gitops/synth/output/folder-files';
import { checkScope, layOut } from '#lib/gitops/synth/output/layout';
import { facts } from '#test/support/findings';

test.each([
  ['v1', 'ConfigMap', [{ finding: 'object-incomplete/namespace', object: 'ConfigMap a' }]],
  ['v1', 'Namespace', []],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', []],
  // Synth cannot tell whether an unknown kind is namespaced.
  ['example.com/v1', 'Widget', []],
])('synth finds in %s/%s without a namespace the problems %j', (apiVersion, kind, expected) => {
  expect(checkScope({ apiVersion, kind, metadata: { name: 'a' } }).map(facts)).toMatchObject(expected);
});

test('folderFiles also checks lines in which an object differs from the shared object that synth checks', () => {
  const object = (note: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { note } });
  const codes = (note: string) => {
    const placed = { path: 'a', construct: 0, object: object(note), checkedAs: object('none'), home: 'a' };
    const order = { order: new SyncOrder([]), waves: new Map() };
    const [folder] = layOut([placed], []);
    return folder === undefined ? [] : folderFiles(folder, order).findings.map(({ problem }) => problem.code);
  };
  expect(codes('other')).toEqual([]);
  expect(codes('postgres://me:hunter2aBcD3fGh@db.example.com/a')).toEqual(['secret-in-file']);
});
