import { changedSources, lockOf, movedPins } from '#tools/import/lock';
import { parsePins } from '#tools/import/pins';
import { parseSource } from '#tools/import/source';

const CRD_PIN = { name: 'crds/example.com/widgets.yaml', url: 'https://example.com/v1/widgets.yaml' };

function crd(schema: string): string {
  return `kind: CustomResourceDefinition
spec:
  group: example.com
  names: { kind: Widget }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: ${schema} } }]`;
}

function lock(text: string) {
  return lockOf([parseSource(CRD_PIN, text)]);
}

describe('parsePins', () => {
  test('reads NAME:=URL', () => expect(parsePins(`imports:\n  - ${CRD_PIN.name}:=${CRD_PIN.url}`)).toEqual([CRD_PIN]));

  test.each(['widgets:=https://x', 'crds/a/b.yaml:=http://x', 'crds/a/b.yaml', '../a.yaml:=https://x'])(
    'refuses %s',
    (pin) => expect(() => parsePins(`imports: ["${pin}"]`)).toThrow('is not NAME:=URL'),
  );
});

describe('the lock of the imports', () => {
  const text = crd('{ type: object, description: prose, properties: { b: { type: string }, a: { type: integer } } }');

  test('ignores prose and the order of fields in a schema', () => {
    expect(lock(crd('{ properties: { a: { type: integer }, b: { type: string } }, type: object }'))).toEqual(
      lock(text),
    );
  });

  test('reports a pin whose content changed at the same URL', () => {
    const changed = lock(crd('{ type: object, properties: { b: { type: string }, a: { type: string } } }'));
    expect(changedSources(lock(text), changed)).toEqual([CRD_PIN.name]);
  });

  test('accepts new content at a new URL', () => {
    const url = 'https://example.com/v2/widgets.yaml';
    expect(changedSources(lock(text), lockOf([parseSource({ ...CRD_PIN, url }, crd('{ type: object }'))]))).toEqual([]);
  });

  test('includes comments of default values that name keys', () => {
    const pin = { name: 'charts/a/v1/values.yaml', url: 'https://example.com/values.yaml' };
    const lockOfValues = (yaml: string) => lockOf([parseSource(pin, yaml)]);
    expect(lockOfValues('a: 1\n#b:')).not.toEqual(lockOfValues('a: 1'));
    expect(lockOfValues('a: 1\n# prose of any kind')).toEqual(lockOfValues('a: 1'));
  });

  test('reports pins that were moved, added or removed since the import', () => {
    const other = { name: 'crds/example.com/gadgets.yaml', url: 'https://example.com/v1/gadgets.yaml' };
    expect(movedPins(lock(text), [CRD_PIN])).toEqual([]);
    expect(movedPins(lock(text), [{ ...CRD_PIN, url: 'https://example.com/v2' }])).toEqual([CRD_PIN.name]);
    expect(movedPins(lock(text), [CRD_PIN, other])).toEqual([other.name]);
    expect(movedPins(lock(text), [])).toEqual([CRD_PIN.name]);
  });
});

test('parseSource refuses a CRD whose group differs from its name, and reports the URL', () => {
  const pin = { ...CRD_PIN, name: 'crds/example.org/widgets.yaml' };
  expect(() => parseSource(pin, crd('{}'))).toThrow(`${pin.name} from ${pin.url}: its group is example.com`);
});
