import { type ImportedSchema, structuralSchema } from '#operator/api/crd/structural-schema';

function converted(schema: ImportedSchema) {
  return structuralSchema(schema, (reference) => {
    throw new Error(reference);
  });
}

test.each<[string, ImportedSchema, object]>([
  ['a plain type', { type: 'string' }, { type: 'string' }],
  ['a type or null', { type: ['boolean', 'null'] }, { type: 'boolean', nullable: true }],
  [
    'integer or string',
    { type: ['integer', 'string', 'null'] },
    { 'x-kubernetes-int-or-string': true, nullable: true },
  ],
  ['number or string', { type: ['string', 'number'] }, { 'x-kubernetes-int-or-string': true }],
  ['limits', { type: 'integer', minimum: 1, maximum: 2 }, { type: 'integer', minimum: 1, maximum: 2 }],
  ['a pattern', { type: 'string', pattern: 'x', description: 'y' }, { type: 'string', pattern: 'x', description: 'y' }],
  ['an enum', { type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
  [
    'an enum or null',
    { type: ['string', 'null'], enum: ['a', '', null] },
    {
      type: 'string',
      nullable: true,
      'x-kubernetes-validations': [{ rule: 'self in ["a", ""]', message: 'must be one of "a", ""' }],
    },
  ],
  ['a list', { type: 'array', items: { type: 'string' } }, { type: 'array', items: { type: 'string' } }],
  [
    'a map',
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  [
    'an open map',
    { type: 'object', additionalProperties: true },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  ],
  [
    'a closed map',
    {
      type: 'object',
      properties: { b: { type: 'string' }, a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    },
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
  ],
])('structuralSchema converts %s', (_name, schema, expected) => expect(converted(schema)).toEqual(expected));

test('the schema inlines references, each with the definitions of its own file', () => {
  const inner = (name: string) => ({ schema: { type: name }, resolve: () => inner(`${name}-of-that-file`) });
  const schema = structuralSchema({ $ref: 'x' }, () => ({ schema: { $ref: 'y' }, resolve: () => inner('there') }));
  expect(schema).toEqual({ type: 'there' });
});

test('a type without a structural schema causes an error', () => {
  expect(() => converted({ type: ['object', 'string'] })).toThrow('["object","string"]');
});
