import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ajvErrors } from '#kubernetes/schemas/ajv-errors';
import { fitsSchema } from '#kubernetes/schemas/schema-fit';
import { type SchemaAddress, schemaAddress, schemaAt } from '#kubernetes/schemas/schema-store';
import { readVariants } from '#tools/conformance/variants';
import { oddObject } from '../api-rules/odd-values';
import { Random } from '../api-rules/random';
import { BUILT_IN_SAMPLES, customSamples } from '../api-rules/samples';

const samples = [...BUILT_IN_SAMPLES, ...customSamples()];
const ODD_OF_EACH = 40;

function addressOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): SchemaAddress {
  return schemaAddress(`${apiVersion}/${kind}`) ?? '';
}

function isRight(address: SchemaAddress, data: unknown): boolean {
  return ajvErrors(address, data).length === 0;
}

describe('fitsSchema agrees with ajv', () => {
  test.each(samples.map((sample) => [sample.kind, sample] as const))(
    'for %s with valid and wrong values',
    (_, sample) => {
      const address = addressOf(sample);
      expect(fitsSchema(schemaAt(address), sample)).toBe(true);
      const random = new Random(samples.indexOf(sample) + 1);
      for (let number = 0; number < ODD_OF_EACH; number += 1) {
        const { object, path, odd } = oddObject(sample, random, () => false);
        const verdict = { path, odd, fits: fitsSchema(schemaAt(address), object) };
        expect(verdict).toEqual({ path, odd, fits: isRight(address, object) });
      }
    },
  );

  const folder = join(__dirname, '../../../conformance');
  test.each(readdirSync(folder).filter((file) => /^linkerd[\w-]*-edge-26\.8\.3\.jsonl$/.test(file)))(
    'for the values of %s',
    (file) => {
      const [, chart] = /^(.+)-edge-26\.8\.3\.jsonl$/.exec(file) ?? [];
      const address = schemaAddress(`charts/${chart}/edge-26.8.3`) ?? '';
      const variants = readVariants(join(folder, file));
      const answers = variants.map(({ values }) => fitsSchema(schemaAt(address), values));
      expect(answers).toEqual(variants.map(({ values }) => isRight(address, values)));
      expect(answers).toContain(true);
    },
  );

  test('for any data', () => {
    const addresses = samples.map(addressOf);
    fc.assert(
      fc.property(fc.constantFrom(...addresses), fc.anything(), (address, data) => {
        expect(fitsSchema(schemaAt(address), data)).toBe(isRight(address, data));
      }),
    );
  });
});

describe('fitsSchema, for a schema with an unknown keyword,', () => {
  test.each([{ not: {} }, { anyOf: [{}] }, { oneOf: [{ not: {} }] }, { format: 'uri' }, { type: 'date' }])(
    'is false for %j',
    (schema) => expect(fitsSchema(schema as object, 'text')).toBe(false),
  );
});
