import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { stringifyYaml } from '#base/yaml-writer';
import { NASTY_NUMBERS, NASTY_TEXTS, nastyData } from '../../support/nasty-data';
import { askOracle } from '../../support/oracle';

/** Every text and number that is hard to quote, as a value and as a key. */
const PLACED: readonly unknown[] = [
  ...NASTY_TEXTS.flatMap((text) => [
    text,
    [text],
    [[text], text],
    { key: text },
    { key: { key: text, z: 1 } },
    { key: [text, { key: text }, [text, 1]] },
    { [text]: text },
    { [text]: { [text]: [text] } },
    [{ [text]: { key: 1 } }, { a: [{ [text]: [] }] }],
    { [text]: {}, z: text },
  ]),
  ...NASTY_NUMBERS.flatMap((number) => [number, [number], { key: number }, { key: [[number]] }]),
];

const DOCUMENTS: readonly unknown[] = [
  ...PLACED,
  ...fc.sample(nastyData, { numRuns: 20_000 - PLACED.length, seed: 2024 }),
];

interface Misreading {
  readonly data: unknown;
  readonly yaml: string;
  readonly read: unknown;
}

function misreadings(read: (yamls: readonly string[]) => readonly unknown[], write: (data: unknown) => string) {
  const yamls = DOCUMENTS.map(write);
  const results = read(yamls);
  return DOCUMENTS.flatMap((data, index): Misreading[] =>
    isDeepStrictEqual(results[index], data) ? [] : [{ data, yaml: yamls[index] ?? '', read: results[index] }],
  );
}

function readAsKubernetes(yamls: readonly string[]): readonly unknown[] {
  return askOracle('yaml', yamls).map(({ value, error }) => error ?? value);
}

function readWith(version: '1.1' | '1.2'): (yamls: readonly string[]) => readonly unknown[] {
  return (yamls) => yamls.map((yaml) => parse(yaml, { version }));
}

test('Kubernetes misreads some of the 20,000 test documents as the yaml package writes them', () => {
  expect(DOCUMENTS).toHaveLength(20_000);
  const naive = misreadings(readAsKubernetes, (data) => stringify(data, { lineWidth: 0, version: '1.1' }));
  expect(naive.length).toBeGreaterThan(20);
});

test('Kubernetes reads every document of the library correctly', () => {
  expect(misreadings(readAsKubernetes, stringifyYaml)).toEqual([]);
});

test.each(['1.1', '1.2'] as const)('a reader of YAML %s reads every document of the library correctly', (version) =>
  expect(misreadings(readWith(version), stringifyYaml)).toEqual([]),
);
