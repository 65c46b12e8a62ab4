import { isEmpty } from '#linkerd/renderers/empty';

test.each([[undefined], [null], [''], [0], [false], [[]], [{}]])('isEmpty is true for %j', (value) => {
  expect(isEmpty(value)).toBe(true);
});

test.each([['0'], [' '], [-1], [true], [[0]], [{ a: undefined }]])('isEmpty is false for %p', (value) => {
  expect(isEmpty(value)).toBe(false);
});
