import { fieldPath, selectFields } from '#base/select-fields';

const POD = {
  volumes: [{ secret: { secretName: 'a' } }, { emptyDir: {} }, { secret: { secretName: 'b' } }],
  auth: { tokenSecretRef: { name: 'c' }, nested: { deep: [{ keySecretRef: { name: 'd' } }] } },
  empty: null,
};

test.each([
  ['auth.tokenSecretRef', ['auth.tokenSecretRef']],
  ['volumes[].secret', ['volumes[0].secret', 'volumes[2].secret']],
  ['auth.*SecretRef', ['auth.tokenSecretRef']],
  ['auth.**.*SecretRef', ['auth.tokenSecretRef', 'auth.nested.deep[0].keySecretRef']],
  ['volumes.secret', []],
  ['auth[]', []],
  ['absent.further', []],
  ['empty', []],
])('the path %s selects %j', (path, fields) => {
  expect(selectFields(POD, fieldPath(path)).map(({ field }) => field)).toEqual(fields);
});

test('the selection of fields returns their values', () => {
  expect(selectFields(POD, fieldPath('volumes[].secret'))[1]?.value).toEqual({ secretName: 'b' });
});
