import { checkResources } from '#linkerd/container-resources';

test.each(['1', '0.5', '100m', '250Mi', '1e3', '.5', '1G'])('checkResources accepts the quantity %s', (request) => {
  expect(checkResources('resources', { cpu: { request } })).toEqual([]);
});

test.each(['100 m', '250MB', '1K', 'much', '', '1.2.3'])('checkResources refuses the quantity %j', (limit) => {
  expect(checkResources('resources', { memory: { limit } })).toEqual([
    expect.objectContaining({
      code: 'quantity-refused',
      cause: 'invalid',
      parameters: { field: 'resources.memory.limit', quantity: limit, example: '250Mi' },
    }),
  ]);
});

test('checkResources reports all problems at once', () => {
  expect(checkResources('resources', { cpu: { request: 'a', limit: 'b' }, memory: { request: 'c' } })).toHaveLength(3);
});

test('checkResources refuses a request above its limit, in any units', () => {
  expect(checkResources('resources', { memory: { request: '1Gi', limit: '512Mi' } })).toEqual([
    expect.objectContaining({
      code: 'request-over-limit',
      parameters: { field: 'resources.memory', request: '1Gi', limit: '512Mi' },
    }),
  ]);
  expect(checkResources('resources', { cpu: { request: '500m', limit: '0.5' } })).toEqual([]);
});

test('checkResources refuses a negative quantity, and a fraction of a byte', () => {
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
