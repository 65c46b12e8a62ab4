import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { fingerprintOf } from '#tools/conformance/canonical';
import {
  type ChartFingerprints,
  expectedFingerprints,
  fingerprintFile,
  fingerprintLines,
  fingerprintsOf,
  readFingerprints,
} from '#tools/conformance/fingerprint';
import { readRecording } from '#tools/conformance/recording';

const RELEASE = 'edge-1';
const pod = (name: string, image: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { image } });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function recorded() {
  const recording = join(folder, 'recorded');
  mkdirSync(recording, { recursive: true });
  writeFileSync(join(recording, 'base-values.json'), `{"a":1,"linkerdVersion":"${RELEASE}"}`);
  writeFileSync(
    join(recording, 'base.yaml'),
    [pod('a', 'i'), pod('b', 'i')].map((one) => JSON.stringify(one)).join('\n---\n'),
  );
  const variants = [
    { name: 'other', values: { a: 2 }, set: { 'v1/Pod//a': pod('a', 'j') }, gone: ['v1/Pod//b'] },
    { name: 'refused', values: { a: 3 }, error: 'no' },
  ];
  writeFileSync(join(recording, 'variants.jsonl'), variants.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return readRecording(recording);
}

/** Writes fingerprints and reads them back. */
function stored(
  group: string,
  fingerprints: ChartFingerprints,
  like?: { group: string; fingerprints: ChartFingerprints },
) {
  const file = fingerprintFile(folder, 'mesh', group);
  const lines = fingerprintLines(fingerprints, like);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return readFingerprints(file);
}

test('a file of fingerprints has the changes of each variant, or its refusal', () => {
  expect(stored(RELEASE, fingerprintsOf(recorded(), RELEASE)).variants).toEqual([
    {
      name: 'other',
      values: { a: 2 },
      set: { 'v1/Pod//a': fingerprintOf(pod('a', 'j'), RELEASE) },
      gone: ['v1/Pod//b'],
    },
    { name: 'refused', values: { a: 3 }, refused: true },
  ]);
});

test('expectedFingerprints applies the changes of a variant to the base', () => {
  const { base, variants } = fingerprintsOf(recorded(), RELEASE);
  // The release is a value of published charts, and so not among these.
  expect(base.baseValues).toEqual({ a: 1 });
  expect(variants.map((variant) => expectedFingerprints(base, variant))[0]).toEqual({
    'v1/Pod//a': fingerprintOf(pod('a', 'j'), RELEASE),
  });
});

const objects = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'));
const chart = fc
  .record({
    baseValues: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom(1, null)),
    objects,
    variants: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('v', 'w', 'x'),
        values: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom(1, null)),
        objects: fc.option(objects),
      }),
      { selector: ({ name }) => name },
    ),
  })
  .map(
    ({ baseValues, objects: base, variants }): ChartFingerprints => ({
      base: { baseValues: { ...baseValues }, objects: { ...base } },
      variants: variants.map(({ name, values, objects: all }) => {
        if (all === null) return { name, values: { ...values }, refused: true };
        const set = Object.fromEntries(Object.entries(all).filter(([key, value]) => base[key] !== value));
        const gone = Object.keys(base)
          .filter((key) => all[key] === undefined)
          .sort();
        return {
          name,
          values: { ...values },
          ...(Object.keys(set).length > 0 ? { set } : {}),
          ...(gone.length > 0 ? { gone } : {}),
        };
      }),
    }),
  );

test('readFingerprints reads a file with a reference to another one as the same fingerprints', () => {
  const byName = ({ variants, ...others }: ChartFingerprints) => ({
    ...others,
    variants: Object.fromEntries(variants.map((variant) => [variant.name, variant])),
  });
  fc.assert(
    fc.property(chart, chart, (one, other) => {
      stored('edge-3', one);
      const read = stored('edge-4', other, { group: 'edge-3', fingerprints: one });
      expect(byName(read)).toEqual(byName(other));
    }),
    { seed: 11, numRuns: 200 },
  );
});
