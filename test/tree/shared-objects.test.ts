import { SharedObjects } from '../../lib/tree/shared-objects';

const configMap = (data: Record<string, unknown>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
  data,
});

test('equal objects become one, others stay apart', () => {
  const objects = new SharedObjects();
  const one = objects.share(configMap({ a: '1' }));
  expect(objects.share(configMap({ a: '1' }))).toBe(one);
  expect(objects.share(configMap({ a: '2' }))).not.toBe(one);
  expect(one).toEqual(configMap({ a: '1' }));
});

test('nobody can change what is shared, not even who made it', () => {
  const objects = new SharedObjects();
  const data = { nested: { list: ['a'] } };
  const shared = objects.share(configMap(data));
  data.nested.list.push('b');
  expect(shared).toEqual(configMap({ nested: { list: ['a'] } }));
  const { nested } = (shared as ReturnType<typeof configMap>).data as typeof data;
  expect(() => nested.list.push('c')).toThrow(TypeError);
  expect(() => Object.assign(shared.metadata, { name: 'other' })).toThrow(TypeError);
  expect(objects.share(configMap({ nested: { list: ['a', 'b'] } }))).not.toBe(shared);
});

test('what is not plain is never taken for what has the same text', () => {
  const objects = new SharedObjects();
  const date = new Date(0);
  const text = objects.share(configMap({ at: date.toJSON() }));
  const odd = configMap({ at: date });
  expect(objects.share(odd)).toBe(odd);
  expect(objects.share(configMap({ at: date.toJSON() }))).toBe(text);
});

test('what is known does not grow without end', () => {
  const objects = new SharedObjects(200);
  const first = objects.share(configMap({ a: 'x'.repeat(100) }));
  objects.share(configMap({ a: 'y'.repeat(100) }));
  expect(objects.share(configMap({ a: 'x'.repeat(100) }))).not.toBe(first);
});

describe('what was made of a source', () => {
  test('is known by an equal source', () => {
    const objects = new SharedObjects();
    const source = () => configMap({ a: '1' });
    expect(objects.sharedOf(source())).toBeUndefined();
    const shared = objects.shareOf(source(), configMap({ made: 'of it' }));
    expect(objects.sharedOf(source())).toBe(shared);
    expect(objects.share(configMap({ made: 'of it' }))).toBe(shared);
    expect(objects.sharedOf(configMap({ a: '2' }))).toBeUndefined();
  });

  test('is known by a source that stays as it is', () => {
    const objects = new SharedObjects();
    const source = Object.freeze(configMap({ a: null }));
    const shared = objects.shareOf(source, configMap({}));
    expect(objects.sharedOf(source)).toBe(shared);
  });

  test('is not known by a text that other data may have', () => {
    const objects = new SharedObjects();
    objects.shareOf(configMap({ a: Number.NaN }), configMap({}));
    expect(objects.sharedOf(configMap({ a: null }))).toBeUndefined();
  });

  test('does not grow without end either', () => {
    const objects = new SharedObjects(300);
    objects.shareOf(configMap({ a: '1' }), configMap({ a: '1' }));
    for (const a of ['2', '3', '4', '5', '6', '7', '8', '9']) objects.shareOf(configMap({ a }), configMap({ a }));
    expect(objects.sharedOf(configMap({ a: '1' }))).toBeUndefined();
  });
});
