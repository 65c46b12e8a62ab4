import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fingerprintOf } from '../../../tools/conformance/canonical';
import {
  type BaseFingerprints,
  expectedFingerprints,
  fingerprintLines,
  type VariantFingerprints,
} from '../../../tools/conformance/fingerprint';
import { readRecording } from '../../../tools/conformance/recording';

const pod = (name: string, image: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { image } });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'));
  writeFileSync(join(folder, 'base-values.json'), '{"a":1}');
  writeFileSync(
    join(folder, 'base.yaml'),
    [pod('a', 'i'), pod('b', 'i')].map((one) => JSON.stringify(one)).join('\n---\n'),
  );
  const variants = [
    { name: 'other', values: { a: 2 }, set: { 'v1/Pod//a': pod('a', 'j') }, gone: ['v1/Pod//b'] },
    { name: 'refused', values: { a: 3 }, error: 'no' },
  ];
  writeFileSync(join(folder, 'variants.jsonl'), variants.map((one) => `${JSON.stringify(one)}\n`).join(''));
});
afterAll(() => rmSync(folder, { recursive: true }));

function lines() {
  const [base = '', ...variants] = fingerprintLines(readRecording(folder));
  return {
    base: JSON.parse(base) as BaseFingerprints,
    variants: variants.map((line) => JSON.parse(line) as VariantFingerprints),
  };
}

test('variants say what they change, or that they are refused', () => {
  expect(lines().variants).toEqual([
    {
      name: 'other',
      values: { a: 2 },
      set: { 'v1/Pod//a': fingerprintOf(pod('a', 'j')) },
      gone: ['v1/Pod//b'],
    },
    { name: 'refused', values: { a: 3 }, refused: true },
  ]);
});

test('base and changes together say what a variant is', () => {
  const { base, variants } = lines();
  expect(base.baseValues).toEqual({ a: 1 });
  expect(variants.map((variant) => expectedFingerprints(base, variant))[0]).toEqual({
    'v1/Pod//a': fingerprintOf(pod('a', 'j')),
  });
});
