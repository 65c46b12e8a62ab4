import { filenameOf } from '#bin/kubectl';

test.each([
  ['a/b c.yaml', 'a/b c.yaml'],
  ['a,b.yaml', '"a,b.yaml"'],
  ['a"b".yaml', '"a""b"".yaml"'],
  ['a\nb.yaml', '"a\nb.yaml"'],
])('the path %j is one value of kubectl --filename, which reads lines of CSV', (path, value) => {
  expect(filenameOf(path)).toBe(value);
});
