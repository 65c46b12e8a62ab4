import fc from 'fast-check';
import { putObject, removeObject, replaceAll } from '#controller-runtime/cache/informer';
import { createStore } from '#controller-runtime/cache/store';
import type { KubeObject } from '#controller-runtime/objects/kube-object';

const at = (version: number, name = 'a', uid = `uid-${name}`): KubeObject => ({
  metadata: { name, uid, resourceVersion: String(version) },
});

function storeOf(...objects: KubeObject[]) {
  const store = createStore<KubeObject>();
  replaceAll(store, objects);
  return store;
}

describe('an object in an event of a watch', () => {
  test.each([5, 4])('is no change if its version is known or older (%i after 5)', (version) => {
    const store = storeOf(at(5));
    expect(putObject(store, at(version))).toEqual([]);
    expect(store.get('a')).toEqual(at(5));
  });

  test('deletes an earlier object of the same name with another uid', () => {
    const store = storeOf(at(5, 'a', 'first'));
    expect(putObject(store, at(6, 'a', 'second'))).toEqual([
      { type: 'deleted', object: at(5, 'a', 'first') },
      { type: 'added', object: at(6, 'a', 'second') },
    ]);
  });
});

describe('a deletion in an event of a watch', () => {
  test('removes the object, with its last state', () => {
    const store = storeOf(at(5));
    expect(removeObject(store, at(6))).toEqual([{ type: 'deleted', object: at(6) }]);
    expect(store.list()).toEqual([]);
  });

  test('is no change for an unknown object', () => expect(removeObject(storeOf(), at(6))).toEqual([]));

  test('is no change if its version is older, as for a predecessor', () => {
    const store = storeOf(at(7, 'a', 'second'));
    expect(removeObject(store, at(6, 'a', 'first'))).toEqual([]);
    expect(store.get('a')).toEqual(at(7, 'a', 'second'));
  });
});

describe('a complete list', () => {
  test('adds, updates and deletes only objects that differ', () => {
    const store = storeOf(at(1, 'gone'), at(2, 'same'), at(3, 'changed'));
    expect(replaceAll(store, [at(2, 'same'), at(5, 'changed'), at(4, 'new')])).toEqual([
      { type: 'deleted', object: at(1, 'gone') },
      { type: 'updated', object: at(5, 'changed'), old: at(3, 'changed') },
      { type: 'added', object: at(4, 'new') },
    ]);
    expect(store.keys()).toEqual(['same', 'changed', 'new']);
  });

  test('replaces newer objects, since the cluster may have been restored', () => {
    const store = storeOf(at(9));
    expect(replaceAll(store, [at(3)])).toEqual([{ type: 'updated', object: at(3), old: at(9) }]);
  });
});

test('duplicate or late events leave each object at its latest version, with consistent changes', () => {
  const events = fc.array(
    fc.record({ version: fc.nat({ max: 20 }).map((n) => n + 1), name: fc.constantFrom('a', 'b') }),
  );
  fc.assert(
    fc.property(events, (arrivals) => {
      const store = storeOf();
      const versions = new Map<string, number>();
      for (const { version, name } of arrivals) {
        for (const change of putObject(store, at(version, name))) {
          expect(change.type).toBe(versions.has(name) ? 'updated' : 'added');
          versions.set(name, Number(change.object.metadata.resourceVersion));
        }
      }
      for (const name of ['a', 'b']) {
        const seen = arrivals.filter((event) => event.name === name).map(({ version }) => version);
        const latest = seen.length === 0 ? undefined : String(Math.max(...seen));
        expect(store.get(name)?.metadata.resourceVersion).toBe(latest);
      }
    }),
  );
});
