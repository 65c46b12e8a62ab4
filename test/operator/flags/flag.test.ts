import { flag, type Parsed } from '#operator/src/flags/flag';

const described = { description: 'a flag' };
const ok = <T>(value: T): Parsed<T> => ({ value });

describe.each<[string, (text: string) => Parsed<unknown>, [string, Parsed<unknown>][]]>([
  [
    'a text',
    flag.text({ ...described, default: undefined }).parse,
    [
      ['any thing', ok('any thing')],
      ['', { expected: 'a text' }],
    ],
  ],
  [
    'a namespace',
    flag.namespace({ ...described, default: 'linkerd' }).parse,
    [
      ['linkerd-2', ok('linkerd-2')],
      ['x'.repeat(63), ok('x'.repeat(63))],
      ...['', 'Linkerd', '-a', 'a-', 'a.b', 'x'.repeat(64)].map((text): [string, Parsed<unknown>] => [
        text,
        { expected: 'the name of a namespace' },
      ]),
    ],
  ],
  [
    'a boolean',
    flag.boolean({ ...described, default: false }).parse,
    [
      ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text): [string, Parsed<unknown>] => [text, ok(true)]),
      ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text): [string, Parsed<unknown>] => [text, ok(false)]),
      ...['', 'yes', 'tRuE', ' true'].map((text): [string, Parsed<unknown>] => [text, { expected: 'true or false' }]),
    ],
  ],
  [
    'a port',
    flag.port({ ...described, default: 0 }).parse,
    [
      ['0', ok(0)],
      ['65535', ok(65_535)],
      ...['', '65536', '-1', '80.5', '0x50', '8e1', ' 80', 'tcp://10.0.0.1:80'].map(
        (text): [string, Parsed<unknown>] => [text, { expected: 'a port (0 to 65535)' }],
      ),
    ],
  ],
  [
    'a count',
    flag.count({ ...described, default: 0 }).parse,
    [
      ['2102', ok(2_102)],
      ['-1', { expected: 'a whole number from 0' }],
      ['99999999999999999999', { expected: 'a whole number from 0' }],
    ],
  ],
  [
    'a duration',
    flag.durationMs({ ...described, default: 0 }).parse,
    [
      ['15s', ok(15_000)],
      ['1h2m3s4ms', ok(3_723_004)],
      ['1.5m', ok(90_000)],
      ['4.35m', ok(261_000)],
      ['0.0015s', ok(1.5)],
      ['0s', ok(0)],
      ...['', '15', '-1s', '-1ns', '2562048h', '1d', 's', '1 s'].map((text): [string, Parsed<unknown>] => [
        text,
        { expected: "a duration such as '10s' or '1m30s'" },
      ]),
    ],
  ],
  [
    'a choice',
    flag.oneOf({ ...described, words: ['debug', 'info'], default: 'info' }).parse,
    [
      ['debug', ok('debug')],
      ['Debug', { expected: 'one of debug, info' }],
    ],
  ],
  [
    'a list',
    flag.list({ ...described, default: [] }).parse,
    [
      ['helm', ok(['helm'])],
      ['helm, argocd-controller', ok(['helm', 'argocd-controller'])],
      ['helm,', { expected: 'comma-separated texts, none of them empty' }],
    ],
  ],
  [
    'words',
    flag.words({ ...described, placeholder: 'word', default: [] }).parse,
    [
      ['a=b,c d=e', ok(['a=b,c', 'd=e'])],
      ['  a\n b ', ok(['a', 'b'])],
    ],
  ],
])('the parser of %s', (_kind, parse, cases) => {
  test.each(cases)('returns for %j: %j', (text, parsed) => expect(parse(text)).toEqual(parsed));
});
