import { closeStructural } from '#tools/import/structural-schema';

describe('closeStructural', () => {
  test('refuses fields that the API server would drop', () => {
    expect(closeStructural({ type: 'object', properties: { a: { type: 'string' } } })).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: false,
    });
  });

  test('keeps maps and objects with x-kubernetes-preserve-unknown-fields open', () => {
    expect(closeStructural({ type: 'object', additionalProperties: { type: 'integer' } })).toEqual({
      type: 'object',
      additionalProperties: { type: 'integer' },
    });
    expect(closeStructural({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })).toEqual({
      type: 'object',
      additionalProperties: true,
    });
    expect(closeStructural({ 'x-kubernetes-preserve-unknown-fields': true })).toEqual({});
  });

  test('accepts integers and strings for int-or-string', () => {
    const intOrString = {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: '^[0-9]+%?$',
    };
    expect(closeStructural(intOrString)).toEqual({ type: ['integer', 'string'], pattern: '^[0-9]+%?$' });
  });

  test('accepts null only for nullable fields', () => {
    expect(closeStructural({ type: 'string', nullable: true, enum: ['a'] })).toEqual({
      type: ['string', 'null'],
      enum: ['a', null],
    });
    expect(closeStructural({ type: 'object', nullable: true }).type).toEqual(['object', 'null']);
  });

  test('does not require fields that have a default', () => {
    const schema = closeStructural({
      type: 'object',
      required: ['kept', 'defaulted'],
      properties: { kept: { type: 'string' }, defaulted: { type: 'string', default: 'x' } },
    });
    expect(schema.required).toEqual(['kept']);
  });

  test('keeps bounds, enumerations and checked formats, and drops other formats and CEL rules', () => {
    const schema = { type: 'integer', minimum: 1, maximum: 9, format: 'int32', 'x-kubernetes-validations': [] };
    expect(closeStructural(schema)).toEqual({ type: 'integer', minimum: 1, maximum: 9, format: 'int32' });
    expect(closeStructural({ type: 'string', format: 'date-time' })).toEqual({ type: 'string' });
  });

  test('keeps the keys that identify the items of a list', () => {
    const items = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const list = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
    expect(closeStructural(list)).toMatchObject({ type: 'array', 'x-kubernetes-list-map-keys': ['name'] });
    const atomic = closeStructural({ ...list, 'x-kubernetes-list-type': 'atomic' });
    expect(Object.keys(atomic)).toEqual(['type', 'items']);
  });

  test('drops patterns that JavaScript cannot read, or reads differently than Go', () => {
    expect(closeStructural({ type: 'string', pattern: '^(?i)a$' })).toEqual({ type: 'string' });
    expect(closeStructural({ type: 'string', pattern: '^\\pL$' })).toEqual({ type: 'string' });
  });

  test('does not close the members of oneOf, anyOf, allOf and not, which concern fields of the whole object', () => {
    const schema = closeStructural({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { properties: { b: { enum: ['x'] } }, required: ['b'] }],
      not: { required: ['a', 'b'] },
    });
    expect(schema.oneOf).toEqual([{ required: ['a'] }, { properties: { b: { enum: ['x'] } }, required: ['b'] }]);
    expect(schema.not).toEqual({ required: ['a', 'b'] });
  });

  test('does not depend on the order of fields in the CRD', () => {
    const [a, b] = [{ type: 'string' }, { type: 'integer' }];
    const forth = closeStructural({ type: 'object', properties: { a, b }, required: ['a', 'b'] });
    const back = closeStructural({ type: 'object', properties: { b, a }, required: ['b', 'a'] });
    expect(JSON.stringify(back)).toBe(JSON.stringify(forth));
  });
});
