import { find, render } from '../fixture';

test('values name further readers of the configuration', () => {
  const objects = render({ configReaders: [{ name: 'reader', namespace: 'tools' }] });
  expect(find(objects, 'RoleBinding', 'linkerd-config-reader')).toMatchObject({
    roleRef: { kind: 'Role', name: 'ext-namespace-metadata-linkerd-config' },
    subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'tools' }],
  });
});

test('without further readers there is no binding', () => {
  expect(find(render(), 'RoleBinding', 'linkerd-config-reader')).toBeUndefined();
  expect(find(render({ configReaders: [] }), 'RoleBinding', 'linkerd-config-reader')).toBeUndefined();
});
