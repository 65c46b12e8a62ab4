import { checkResources } from '#lib/linkerd/container-resources';

test.each(['1', '0.5', '100m', '250Mi', '1e3', '.5', '1G'])('%s is a quantity', (request) => {
  expect(checkResources('resources', { cpu: { request } })).toEqual([]);
});

test.each(['100 m', '250MB', '1K', 'much', '', '1.2.3'])('%j is no quantity', (limit) => {
  expect(checkResources('resources', { memory: { limit } })).toEqual([
    expect.objectContaining({
      code: 'quantity-refused',
      cause: 'invalid',
      parameters: { field: 'resources.memory.limit', quantity: limit, example: '250Mi' },
    }),
  ]);
});

test('all that is wrong is reported', () => {
  expect(checkResources('resources', { cpu: { request: 'a', limit: 'b' }, memory: { request: 'c' } })).toHaveLength(3);
});

test('a request above its limit is refused, in whatever units', () => {
  expect(checkResources('resources', { memory: { request: '1Gi', limit: '512Mi' } })).toEqual([
    expect.objectContaining({
      code: 'request-over-limit',
      parameters: { field: 'resources.memory', request: '1Gi', limit: '512Mi' },
    }),
  ]);
  expect(checkResources('resources', { cpu: { request: '500m', limit: '0.5' } })).toEqual([]);
});

test('a negative quantity is refused, and part of a byte', () => {
  expect(checkResources('resources', { cpu: { request: '-1' }, memory: { limit: '100m' } })).toEqual([
    expect.objectContaining({
      code: 'quantity-refused',
      cause: 'invalid',
      parameters: { field: 'resources.cpu.request', quantity: '-1', example: '100m' },
    }),
    expect.objectContaining({
      code: 'quantity-refused',
      cause: 'fraction',
      parameters: { field: 'resources.memory.limit', quantity: '100m', bytes: 0.1 },
    }),
  ]);
  expect(checkResources('resources', { cpu: { request: '100m' } })).toEqual([]);
});
