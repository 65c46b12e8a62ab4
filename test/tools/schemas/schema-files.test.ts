import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { fleetSchema, type JsonSchema } from '#lib/constructs/fleet/fleet-schema';
import { schemaFiles } from '#tools/schemas/schema-files';

const ROOT = join(__dirname, '../../..');
const files = schemaFiles();
const compiled = (schema: JsonSchema) => new Ajv({ strict: false, allErrors: true }).compile(schema);
const schemaIn = (name: string) => JSON.parse(files[name] ?? '') as JsonSchema;

test('the committed schemas are the output of npm run docs', () => {
  const written = readdirSync(join(ROOT, 'schemas')).map((name) => [
    name,
    readFileSync(join(ROOT, 'schemas', name), 'utf8'),
  ]);
  expect(Object.fromEntries(written)).toEqual(files);
});

describe('the schema of a LinkerdConfig', () => {
  const validate = compiled(schemaIn('linkerdconfig.schema.json'));
  const path = join(ROOT, 'dist/home/linkerd-reconciler/linkerdconfig.linkerd.yaml');
  const emitted = parse(readFileSync(path, 'utf8')) as { readonly spec: object };

  test('accepts the object in dist/, and an object without a spec', () => {
    const { apiVersion, kind, metadata } = emitted as never;
    for (const object of [emitted, { apiVersion, kind, metadata }])
      expect([validate(object), validate.errors]).toEqual([true, null]);
  });

  test.each([
    [{ values: { proxy: { logLevell: 'info' } } }, '/spec/values/proxy'],
    [{ values: { controllerReplicas: 'three' } }, '/spec/values/controllerReplicas'],
    [{ deletionPolicy: 'Delete' }, '/spec/deletionPolicy'],
    [{ value: {} }, '/spec'],
  ])('refuses %j', (spec, place) => {
    expect(validate({ ...emitted, spec })).toBe(false);
    expect(validate.errors?.map(({ instancePath }) => instancePath)).toContain(place);
  });

  test('refuses another kind', () => expect(validate({ ...emitted, kind: 'LinkerdConfigs' })).toBe(false));
});

describe('the schema of a fleet file', () => {
  const cluster = (settings: unknown) => ({ clusters: [{ name: 'home', settings }] });

  test('accepts any settings', () => {
    const validate = compiled(schemaIn('fleet.schema.json'));
    expect(validate(cluster({ a: [1] }))).toBe(true);
    expect(validate(cluster(null))).toBe(true);
    expect(validate(cluster('a'))).toBe(false);
  });

  test('accepts a part of the settings, and null to remove one, if it has a schema for them', () => {
    const validate = compiled(
      fleetSchema({
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        additionalProperties: false,
        required: ['required'],
        properties: { required: { type: 'integer', default: 1 }, level: { $ref: '#/definitions/level' } },
        definitions: { level: { enum: ['a', 'b'] } },
      }),
    );
    for (const good of [{}, { required: 2 }, { required: null }, { level: 'a' }])
      expect(validate(cluster(good))).toBe(true);
    for (const bad of [{ required: 'x' }, { level: 'c' }, { other: 1 }]) expect(validate(cluster(bad))).toBe(false);
  });
});
