import { chartDefaults, chartSchema } from '#tools/import/chart-values';
import { commentedKeys } from '#tools/import/commented-keys';
import { boolean, fields, kubernetes, listOf, string, type ValuesKnowledge } from '#tools/import/value-types';

const KUBERNETES = {
  Probe: { type: 'object', properties: { port: { type: 'integer' } }, required: ['port'], additionalProperties: false },
  Toleration: { type: 'object', properties: {}, additionalProperties: false },
  Selector: {
    type: 'object',
    properties: { terms: { type: 'array', items: { $ref: '#/definitions/Toleration' } } },
    additionalProperties: false,
  },
};

function schemaOf(values: string, knowledge: Partial<ValuesKnowledge> = {}, schema?: string) {
  const known = { byName: {}, byPath: {}, extra: {}, ...knowledge };
  return chartSchema({ appVersion: 'edge-1', values, schema }, known, KUBERNETES).Values;
}

describe('default values', () => {
  test('have the release where the sources have a placeholder', () => {
    expect(chartDefaults('version: linkerdVersionValue\nlist: [linkerdVersionValue]', 'edge-1')).toEqual({
      version: 'edge-1',
      list: ['edge-1'],
    });
  });

  test('have copies where the YAML has aliases', () => {
    expect(chartDefaults('a: &x { b: 1 }\nc: *x', 'edge-1')).toEqual({ a: { b: 1 }, c: { b: 1 } });
  });
});

describe('commented-out keys', () => {
  test('belong to the map that they are indented into', () => {
    const yaml = ['a:', '  x: 1', '  # resources:', '  b:', '    #size:', '# heartbeat: "0 0 * * *"'].join('\n');
    expect(commentedKeys(yaml)).toEqual(['a.resources', 'a.b.size', 'heartbeat']);
  });

  test('are not mistaken from prose, examples or list items', () => {
    const yaml = ['# -- Note: this is prose', '# See: the documentation', '#- name:', '# Ex:', '#   key: value'].join(
      '\n',
    );
    expect(commentedKeys(yaml)).toEqual([]);
  });

  test('need a type like any other key', () => {
    expect(() => schemaOf('a: 1\n#tolerations:')).toThrow('values.yaml has tolerations in comments');
    expect(() => schemaOf('a: 1\n#tolerations:', { extra: { tolerations: listOf(string) } })).not.toThrow();
  });
});

describe('the schema of values', () => {
  test('takes null at every key, because there it removes the default', () => {
    expect(schemaOf('a: x\nb: { c: true }')).toEqual({
      type: 'object',
      properties: {
        a: { type: ['string', 'null'] },
        b: { type: ['object', 'null'], properties: { c: { type: ['boolean', 'null'] } }, additionalProperties: false },
      },
      additionalProperties: false,
    });
  });

  test('takes no null in lists, which Helm replaces whole', () => {
    expect(schemaOf('a: [x]')?.properties?.a).toEqual({ type: ['array', 'null'], items: { type: 'string' } });
  });

  test("spells out Kubernetes' types down to lists, and requires nothing of what is merged into defaults", () => {
    const properties = schemaOf('probe: {}\nselector: {}', {
      byPath: { probe: kubernetes('Probe', { enabled: boolean }), selector: kubernetes('Selector') },
    })?.properties;
    expect(properties?.probe).toEqual({
      type: ['object', 'null'],
      properties: { port: { type: ['integer', 'null'] }, enabled: { type: ['boolean', 'null'] } },
      additionalProperties: false,
    });
    expect(properties?.selector?.properties?.terms?.items).toEqual({ $ref: 'kubernetes#/definitions/Toleration' });
  });

  test('refuses types that Kubernetes does not have', () => {
    expect(() => schemaOf('a: {}', { byPath: { a: kubernetes('Prob') } })).toThrow("Kubernetes' schemas have no Prob");
  });
});

describe('a schema that comes with the chart', () => {
  const shipped = (properties: object): string =>
    JSON.stringify({
      $ref: '#/$defs/values',
      $defs: { values: { type: 'object', properties }, size: { type: 'number' } },
    });

  test('is taken over without prose, closed, nullable', () => {
    const schema = shipped({ a: { type: 'string', description: 'prose', default: 'x' }, b: { $ref: '#/$defs/size' } });
    expect(schemaOf('', {}, schema)).toEqual({
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, b: { type: ['number', 'null'] } },
      additionalProperties: false,
    });
  });

  test('is filled in where it is open', () => {
    const schema = shipped({ a: { type: 'object' } });
    expect(() => schemaOf('', {}, schema)).toThrow('upstream does not say what a may be');
    const known = { byPath: { a: fields({ host: string }) } };
    expect(schemaOf('', known, schema)?.properties?.a?.properties).toEqual({ host: { type: ['string', 'null'] } });
  });

  test('goes before what is known by name', () => {
    const schema = shipped({ a: { type: 'string' } });
    expect(schemaOf('', { byName: { a: boolean } }, schema)?.properties?.a).toEqual({ type: ['string', 'null'] });
  });
});
