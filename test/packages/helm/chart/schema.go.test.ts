import { renderTexts } from '#helm/render';
import { askHelm } from '#test/support/helm-oracle';
import {
  chartFiles,
  chartOf,
  expectHelmsOutput,
  expectRefusal,
  inCharts,
  optionsOf,
  ourOutput,
} from './compare-with-helm';

const DRAFTS = [
  'http://json-schema.org/draft-04/schema#',
  'http://json-schema.org/draft-06/schema#',
  'https://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/schema#',
  undefined,
];

function question(schema: unknown, values: object) {
  const files = chartFiles({
    'templates/a.yaml': 'a: 1',
    'values.schema.json': typeof schema === 'string' ? schema : JSON.stringify(schema),
  });
  return { files, values };
}

/** Schemas, each with values that Helm accepts or refuses. */
const CASES: readonly (readonly [object, readonly object[]])[] = [
  [
    { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 1 } } },
    [{ a: 1 }, { a: 1.5 }, { a: 0 }, {}, { a: '1' }],
  ],
  [{ required: ['constructor'] }, [{}, { constructor: 1 }]],
  [
    { additionalProperties: false, properties: { a: {}, global: {} } },
    [{ a: 1 }, { b: 1 }, { toString: 1 }, { global: {} }],
  ],
  [{ properties: { a: { enum: [1, 'x', { b: [1] }, null] } } }, [{ a: 1 }, { a: 'x' }, { a: { b: [1] } }, { a: 2 }]],
  [
    { properties: { a: { pattern: '^(?i)[a-z]+$' }, b: { pattern: '^\\d$' } } },
    [{ a: 'ABC' }, { a: '1' }, { b: '5' }, { b: 'x' }, { a: 'a\n' }],
  ],
  [
    {
      properties: {
        a: { format: 'ipv4' },
        b: { format: 'email' },
        c: { format: 'date-time' },
        d: { format: 'hostname' },
      },
    },
    [{ a: '1.2.3.4' }, { a: 'x' }, { b: 'x' }, { c: '2020-02-30T00:00:00Z' }, { d: '-x' }],
  ],
  [{ properties: { a: { minimum: 1, exclusiveMinimum: true } } }, [{ a: 1 }, { a: 2 }]],
  [{ properties: { a: { minimum: 1, exclusiveMinimum: 3 } } }, [{ a: 1 }, { a: 4 }]],
  [{ properties: { a: { const: 1 } } }, [{ a: 1 }, { a: 2 }]],
  // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
  [{ if: { properties: { a: { const: 1 } } }, then: { required: ['b'] } }, [{ a: 1 }, { a: 1, b: 1 }, { a: 2 }]],
  [
    { definitions: { x: { type: 'string' } }, properties: { a: { $ref: '#/definitions/x', minLength: 3 } } },
    [{ a: 'x' }, { a: 'xxx' }, { a: 1 }],
  ],
  [{ components: { x: { type: 'string' } }, properties: { a: { $ref: '#/components/x' } } }, [{ a: 'x' }, { a: 1 }]],
  [
    { properties: { a: { items: [{ type: 'string' }], additionalItems: false } } },
    [{ a: ['x'] }, { a: ['x', 1] }, { a: [1] }],
  ],
  [{ properties: { a: { prefixItems: [{ type: 'string' }], items: false } } }, [{ a: ['x'] }, { a: ['x', 1] }]],
  [
    { properties: { a: { uniqueItems: true } } },
    [
      { a: [1, 1] },
      {
        a: [
          { x: 1, y: 2 },
          { y: 2, x: 1 },
        ],
      },
      { a: [1, '1'] },
    ],
  ],
  [{ properties: { a: { type: 'string', nullable: true } } }, [{ a: 'x' }, { a: 1 }]],
  [{ properties: { a: { multipleOf: 0.1 } } }, [{ a: 1 }, { a: 0.25 }]],
  [{ properties: { a: { $ref: 'urn:example:unknown' } } }, [{ a: 1 }]],
  [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1 }, { a: 1, b: 1 }, {}]],
  [{ unevaluatedProperties: false, allOf: [{ properties: { a: {}, global: {} } }] }, [{ a: 1 }, { b: 1 }]],
  [{ dependencies: { a: ['b'], c: { required: ['d'] } } }, [{ a: 1 }, { a: 1, b: 1 }, { c: 1 }]],
  [{ dependentRequired: { a: ['b'] } }, [{ a: 1 }, { a: 1, b: 1 }]],
  [{ propertyNames: { pattern: '^[ag]' } }, [{ a: 1 }, { b: 1 }]],
  [{ type: 'nothing' }, [{}]],
  [{ properties: { a: { pattern: '(?=x)' } } }, [{ a: 'x' }]],
  [{ $async: true, properties: { a: { type: 'string' } } }, [{ a: 'x' }, { a: 1 }]],
  [{ properties: { a: { contains: { const: 1 }, minContains: 2 } } }, [{ a: [1, 1] }, { a: [1] }, { a: [2] }]],
];

test.each(DRAFTS)('Helm and the validator accept and refuse the same values with draft %s', (draft) => {
  const questions = CASES.flatMap(([schema, values]) =>
    values.map((given) => question(draft === undefined ? schema : { $schema: draft, ...schema }, given)),
  );

  const answers = askHelm(questions);
  const verdicts = questions.map((asked, index) => {
    const { files, values } = asked;
    const shown = [files['values.schema.json'], JSON.stringify(values)].join(' ');
    const ours = ourOutput(asked).error === undefined ? 'accepted' : 'refused';
    return {
      ours: `${shown} ${ours}`,
      helms: `${shown} ${answers[index]?.error === undefined ? 'accepted' : 'refused'}`,
    };
  });
  expect(verdicts.map(({ ours }) => ours)).toEqual(verdicts.map(({ helms }) => helms));
});

const REFERENCED = DRAFTS.flatMap((draft) =>
  ['04', '06', '07'].flatMap((referenced) =>
    [
      { pattern: '(' },
      { pattern: '^a$' },
      { pattern: '(?=x)' },
      { pattern: 'a\\u0041' },
      { properties: { b: { pattern: '[' } } },
      { patternProperties: { '(': {} } },
      { patternProperties: { '^a': {} } },
      { $id: 'a b', id: 'a b' },
      { $id: '%', id: '%' },
      { $ref: '::' },
      { $schema: 'x y' },
      { format: 1 },
      { minimum: 'x' },
      { multipleOf: 0 },
      { multipleOf: 0.5 },
      { default: { pattern: '(' } },
    ].map((given) =>
      question(
        {
          ...(draft !== undefined && { $schema: draft }),
          properties: { a: { $ref: `http://json-schema.org/draft-${referenced}/schema#` } },
        },
        { a: given },
      ),
    ),
  ),
);

test('a schema with subschemas of another draft keeps its meaning, including formats', () => {
  const answers = askHelm(REFERENCED);
  const shown = (verdict: (asked: (typeof REFERENCED)[number], index: number) => unknown) =>
    REFERENCED.map(
      (asked, index) =>
        `${asked.files['values.schema.json']} ${JSON.stringify(asked.values)} ${verdict(asked, index) === undefined ? 'accepted' : 'refused'}`,
    );
  expect(shown((asked) => ourOutput(asked).error)).toEqual(shown((_, index) => answers[index]?.error));
});

/** JSON as text, since JSON.stringify would change these numbers. */
const NUMBERS: readonly (readonly [schema: string, values: readonly object[]])[] = [
  ['{"maximum":18446744073709551615}', [{ a: 18446744073709552000 }, { a: 1 }, { a: 1e300 }]],
  ['{"maximum":9007199254740993}', [{ a: 9007199254740992 }, { a: 9007199254740994 }]],
  ['{"minimum":9007199254740993}', [{ a: 9007199254740992 }, { a: 9007199254740994 }]],
  ['{"minimum":-9007199254740993}', [{ a: -9007199254740992 }, { a: -9007199254740994 }]],
  ['{"exclusiveMaximum":9007199254740993}', [{ a: 9007199254740992 }, { a: 9007199254740994 }]],
  ['{"maximum":9007199254740993,"exclusiveMaximum":true}', [{ a: 9007199254740992 }, { a: 9007199254740994 }]],
  ['{"const":9007199254740993}', [{ a: 9007199254740992 }, { a: 9007199254740994 }]],
  ['{"enum":[9007199254740993,1]}', [{ a: 9007199254740992 }, { a: 1 }]],
  ['{"enum":[18446744073709552000]}', [{ a: 18446744073709552000 }]],
  ['{"maximum":0.1000000000000000055}', [{ a: 0.1 }, { a: 0.10000000000000002 }]],
  ['{"minimum":0.1000000000000000055}', [{ a: 0.1 }, { a: 0.2 }]],
  ['{"maximum":1e400}', [{ a: 1e308 }]],
  ['{"maximum":1.0}', [{ a: 1 }, { a: 1.5 }]],
  ['{"multipleOf":0.1}', [{ a: 0.3 }, { a: 0.35 }, { a: 1e20 }]],
  ['{"multipleOf":0.01}', [{ a: 19.99 }, { a: 0.07 }, { a: 4.35 }, { a: 4.355 }]],
  ['{"multipleOf":9007199254740993}', [{ a: 9007199254740992 }, { a: 18014398509481984 }]],
  ['{"multipleOf":3}', [{ a: 1e21 }, { a: 9 }, { a: 0 }, { a: -6 }, { a: 1.5 }]],
  ['{"type":"integer"}', [{ a: 1e300 }, { a: 1.5 }, { a: 18446744073709552000 }]],
  ['{"maxLength":9007199254740993}', [{ a: 'x' }]],
  ['{"title":"18446744073709551615","default":18446744073709551615}', [{ a: 1 }]],
  ['{"pattern":"^18446744073709551615$"}', [{ a: '18446744073709551615' }, { a: 'x' }]],
];

test('limits and factors are compared as exact numbers, and values as they are printed', () => {
  const questions = NUMBERS.flatMap(([schema, values]) =>
    ['http://json-schema.org/draft-04/schema#', 'http://json-schema.org/draft-07/schema#'].flatMap((draft) =>
      values.map((given) => question(`{"$schema":"${draft}","properties":{"a":${schema}}}`, given)),
    ),
  );
  const answers = askHelm(questions);
  const shown = (verdict: (asked: (typeof questions)[number], index: number) => unknown) =>
    questions.map((asked, index) => [
      asked.files['values.schema.json'],
      asked.values,
      verdict(asked, index) === undefined ? 'accepted' : 'refused',
    ]);
  expect(shown((asked) => ourOutput(asked).error)).toEqual(shown((_, index) => answers[index]?.error));
});

test('the validator checks the values of dependencies by their schemas, including globals', () => {
  const schema = JSON.stringify({ additionalProperties: false, properties: { a: { type: 'string' }, global: {} } });
  const files = chartFiles({
    'templates/a.yaml': 'a: 1',
    ...inCharts('child', { 'values.schema.json': schema, 'values.yaml': 'a: x\n' }),
  });
  expectHelmsOutput([{ files, values: { global: { x: 1 } } }]);
  const [{ ours } = { ours: '' }] = expectRefusal([{ files, values: { child: { a: 1, b: 2 } } }]);
  expect(ours).toContain("child: at '': additional properties 'b' not allowed, at '/a': got number, want string");
});

test('both Helm and the validator refuse an invalid schema', () => {
  expectRefusal(
    ['{', '"x"', '{"$ref": "#/none"}', '{"$schema": "no-such-draft"}'].map((schema) => question(schema, {})),
  );
});

test('the validator refuses schemas outside of the chart, unless validation is skipped', () => {
  const asked = question({ properties: { a: { $ref: 'https://example.com/x.json' } } }, { a: 1 });
  expect(ourOutput(asked).error).toMatch(/refers to https:\/\/example.com\/x.json, which is not in the chart/);
  expect(renderTexts(chartOf(asked.files), { ...optionsOf(asked), skipSchemaValidation: true }).manifests).toHaveLength(
    1,
  );
});

describe('the validator stops at costly schemas', () => {
  const refusal = (schema: object, values: object): string => ourOutput(question(schema, values)).error ?? 'accepted';

  test('that are nested deeply, or have many parts', () => {
    const deep = `${'{"properties":{"a":'.repeat(3000)}{}${'}}'.repeat(3000)}`;
    expect(ourOutput(question(deep, {})).error).toMatch(/nested too deeply/);
    expect(refusal({ allOf: Array.from({ length: 30_000 }, () => ({})) }, {})).toMatch(/more than 10000 subschemas/);
  });

  test('that apply to themselves', () => {
    expect(refusal({ allOf: [{ $ref: '#' }] }, {})).toMatch(/applies to itself without end|steps/);
  });

  test('that double at every level', () => {
    const levels = Array.from({ length: 40 }, (_, index) => [
      `l${index}`,
      { allOf: [{ $ref: `#/$defs/l${index + 1}` }, { $ref: `#/$defs/l${index + 1}` }] },
    ]);
    expect(refusal({ $defs: Object.fromEntries([...levels, ['l40', true]]), $ref: '#/$defs/l0' }, {})).toMatch(
      /more than \d+ steps/,
    );
  });

  test('with patterns that backtrack', () => {
    expect(refusal({ properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(50_000)}!` })).toMatch(
      /does not match/,
    );
  });

  test('that compare many items', () => {
    expect(
      refusal({ properties: { a: { uniqueItems: true } } }, { a: Array.from({ length: 50_000 }, (_, index) => index) }),
    ).toBe('accepted');
  });
});

test('the validator accepts references to meta-schemas, and properties named like the prototype', () => {
  const drafts = ['4', '6', '7'].map((draft) => `http://json-schema.org/draft-0${draft}/schema#`);
  const documents = [
    ...[
      '{type: string}',
      '{type: 1}',
      '{type: x}',
      '{properties: {a: 1}}',
      'true',
      '{exclusiveMinimum: 1}',
      '{enum: []}',
    ],
    ...[
      '{minimum: 1, exclusiveMinimum: true}',
      '{required: []}',
      '{items: [{type: string}]}',
      '{not: {maxLength: -1}}',
      '1',
    ],
  ].map((document) => `s: ${document}`);
  const referring = drafts.flatMap((draft) =>
    [...drafts, undefined].flatMap((own) =>
      documents.map(
        (values) => [{ ...(own && { $schema: own }), properties: { s: { $ref: draft } } }, values] as const,
      ),
    ),
  );
  const naming = ['{"properties":{"__proto__":{"type":"number"}}}', '{"required":["__proto__"]}'].flatMap((schema) =>
    ['"__proto__": foo', '"__proto__": 1', 'a: 1'].map((values) => [JSON.parse(schema), values] as const),
  );
  const questions = [...referring, ...naming].map(([schema, values]) => ({
    files: chartFiles({
      'values.yaml': values,
      'values.schema.json': JSON.stringify(schema),
      'templates/a.yaml': 'a: b',
    }),
    output: true,
  }));
  const helm = askHelm(questions);
  const differences = questions.filter(
    (question, index) => (helm[index]?.error === undefined) !== (ourOutput(question).error === undefined),
  );
  expect(differences.map(({ files }) => files)).toEqual([]);
});
