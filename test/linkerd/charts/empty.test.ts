import { isEmpty } from '#lib/linkerd/charts/empty';

test.each([[undefined], [null], [''], [0], [false], [[]], [{}]])('%j is empty', (value) => {
  expect(isEmpty(value)).toBe(true);
});

test.each([['0'], [' '], [-1], [true], [[0]], [{ a: undefined }]])('%j is not empty', (value) => {
  expect(isEmpty(value)).toBe(false);
});
