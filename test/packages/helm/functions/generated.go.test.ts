import * as fc from 'fast-check';
import { valuesThatDiffer } from '../yaml/against-helm';
import { nastyText } from '../yaml/nasty';
import { GENERATED, GENERATED_VALUES } from './generated';
import { differences } from './render';

const RUNS = { numRuns: 300, seed: 20261126 };

describe('random expressions:', () => {
  test.each(Object.entries(GENERATED))('%s print what Helm prints', (_, expressions) => {
    const templates = fc.sample(expressions, RUNS).map((expression) => `{{ ${expression} }}`);

    expect(differences(templates, GENERATED_VALUES)).toEqual([]);
  });

  test.each([
    'camelcase',
    'title',
    'untitle',
    'swapcase',
    'upper',
    'lower',
    'initials',
    'nospace',
    'quote',
    'squote',
    'abbrev 7',
    'trunc 5',
    'trunc -5',
    'wrap 7',
    'wrapWith 6 "-"',
    'substr 1 4',
    'trim',
    'b64enc',
    'b32enc',
    'sha256sum',
    'adler32sum',
    'int64',
    'float64',
    'toDecimal',
    'atoi',
    'base',
    'dir',
    'clean',
    'ext',
    'trimAll " a-"',
    'regexQuoteMeta',
    'indent 3',
    'regexReplaceAll "[^a-z]+" "-"',
    'duration',
  ])('%s of adversarial texts prints what Helm prints', (name) => {
    expect(valuesThatDiffer(`{{ ${name} .Values.value }}`, fc.sample(nastyText, RUNS))).toEqual([]);
  });
});
