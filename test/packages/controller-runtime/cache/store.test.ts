import fc from 'fast-check';
import { createStore } from '#controller-runtime/cache/store';

interface Thing {
  readonly metadata: { readonly name: string };
  readonly owners: readonly string[];
}

const thing = (name: string, ...owners: string[]): Thing => ({ metadata: { name }, owners });
const indexers = { owner: ({ owners }: Thing) => owners };

test('an undeclared index is an error', () => {
  expect(() => createStore().byIndex('owner', 'x')).toThrow("There is no index 'owner'");
});

test('indexes follow any sequence of writes', () => {
  const names = fc.constantFrom('a', 'b', 'c');
  const owners = fc.array(fc.constantFrom('x', 'y'));
  const writes = fc.array(fc.oneof(fc.record({ name: names, owners }), fc.record({ name: names })));
  fc.assert(
    fc.property(writes, (steps) => {
      const store = createStore(indexers);
      const model = new Map<string, Thing>();
      for (const step of steps) {
        if ('owners' in step) {
          store.set(step.name, thing(step.name, ...step.owners));
          model.set(step.name, thing(step.name, ...step.owners));
        } else {
          store.delete(step.name);
          model.delete(step.name);
        }
      }
      expect(new Set(store.keys())).toEqual(new Set(model.keys()));
      for (const owner of ['x', 'y']) {
        const expected = [...model.values()].filter((candidate) => candidate.owners.includes(owner));
        expect(new Set(store.byIndex('owner', owner))).toEqual(new Set(expected));
      }
    }),
  );
});
