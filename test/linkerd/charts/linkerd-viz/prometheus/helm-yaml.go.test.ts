import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Value } from '../../../../../lib/kubernetes/values';
import { helmYaml } from '../../../../../lib/linkerd/charts/linkerd-viz/prometheus/helm-yaml';
import { goTool } from '../../../../support/go-tools';

const HELM = goTool('helm');

const TEMPLATE = '{{- range .Values.documents }}\n---\ntext: {{ toYaml . | toJson }}\n{{- end }}\n';

/** What Helm's own `toYaml` prints. */
function printedByHelm(documents: readonly Value[]): readonly string[] {
  const chart = mkdtempSync(join(tmpdir(), 'to-yaml-'));
  try {
    mkdirSync(join(chart, 'templates'));
    writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: print\nversion: 0.1.0\n');
    writeFileSync(join(chart, 'templates', 'documents.yaml'), TEMPLATE);
    writeFileSync(join(chart, 'documents.json'), JSON.stringify({ documents }));
    const args = ['template', 'print', chart, '-f', join(chart, 'documents.json')];
    const output = execFileSync(HELM, args, { encoding: 'utf8', maxBuffer: 1e8 });
    return [...output.matchAll(/^text: (.*)$/gm)].map(([, json = '""']) => JSON.parse(json) as string);
  } finally {
    rmSync(chart, { recursive: true });
  }
}

const NASTY = [
  ...[
    '',
    'yes',
    'n',
    'On',
    '~',
    'NULL',
    '.inf',
    '-.INF',
    '.5',
    '1.',
    '1e3',
    '1_000',
    '0x1F',
    '0o17',
    '017',
    '08',
    '0b1',
  ],
  ...['12:30', '1:2:3', '+1', '2024-01-01', '2024-13-01', '2024-1-1 10:00:00', '2024-01-01T10:00:00Z', '0.1.2', '<<'],
  ...['-', '?', ':', '- a', 'a: b', 'a:b', 'end:', 'a #b', '#a', '"q"', "it's", '*a', '&a', '!t', '%a', '@a', '`a`'],
  ...[
    '{a}',
    '[a]',
    'a,b',
    ',a',
    '---',
    '...',
    '--- a',
    ' lead',
    'trail ',
    'a  b',
    'tab\there',
    'a\\b',
    'é',
    '日本',
    '😀',
  ],
  ...['a\nb', 'a\nb\n', 'a\n\n', '\na', ' a\nb', 'a \nb', 'a\n \nb', `${'x'.repeat(90)} y`],
];
const CHARACTERS = [...' :#-?,[]{}&*!|>\'"%@`~=.0123456789abeEnNoOtTyYxX_+/\\$^()'];

const word = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 12 }));
const text = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')) },
  { weight: 1, arbitrary: fc.array(word, { maxLength: 6 }).map((words) => words.join('\n')) },
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e6, 1e20, 1e21, 123456.5, 1234567.5, 1e-4, 1e-5, 2 ** 53, 2 ** 63, 2 ** 64, -(2 ** 63)),
);
const key = fc.stringMatching(/^[a-zA-Z0-9_.][a-zA-Z0-9_./-]{0,8}$/);
const { document } = fc.letrec<{ document: Value }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'medium' },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('document'), { maxLength: 4 }),
    fc.dictionary(key, tie('document'), { maxKeys: 5 }),
  ),
}));

test('is what Helm prints, byte for byte', () => {
  const random = fc.sample(fc.array(document, { minLength: 1, maxLength: 4 }), { numRuns: 400, seed: 26 });
  const documents: readonly Value[] = JSON.parse(JSON.stringify([NASTY, ...random])) as Value[];
  expect(documents.map(helmYaml)).toEqual(printedByHelm(documents));
});

test('lists stand below their keys, keys in their natural order', () => {
  const value = { targets: ['x:1'], a10: {}, a9: [], _x: [[1, { b: 2, a: 1 }]] };
  expect(helmYaml(value)).toBe('_x:\n- - 1\n  - a: 1\n    b: 2\na9: []\na10: {}\ntargets:\n- x:1');
});
