import { LimitError, RenderBudget, type RenderLimits } from '#helm/go/budget';
import { goPrint, goSprintf } from '#helm/go/print';
import { type GoFunction, GoInt, type GoValue } from '#helm/go/values';
import { builtinFunctions } from '#helm/template/builtin-functions';
import { executeTemplate } from '#helm/template/execute';
import { parseTemplate } from '#helm/template/parse';
import { TemplateError } from '#helm/template/template-error';

const LIMITS: RenderLimits = { steps: 100_000, depth: 50, outputLength: 10_000 };

function renderWithin(limits: Partial<RenderLimits>, text: string, data: GoValue = new Map()): string {
  const templates = parseTemplate('a.yaml', text, new Set(['include']));
  const budget = new RenderBudget({ ...LIMITS, ...limits });
  const include: GoFunction = {
    parameters: ['string', 'any'],
    call: ([name, dot]) => executeTemplate(templates, String(name), dot, { functions, budget }),
  };
  const functions = new Map([...builtinFunctions, ['include', include] as const]);
  return executeTemplate(templates, 'a.yaml', data, { functions, budget });
}

function cyclicMap(): GoValue {
  const map = new Map<string, GoValue>();
  map.set('self', map);
  return map;
}

/** Nested lists of two elements each, with more elements than any budget allows to print. */
function wideValue(depth: number): GoValue {
  let value: GoValue = 'x';
  for (let level = 0; level < depth; level += 1) value = [value, value];
  return value;
}

describe('the renderer stops a template at the limit of', () => {
  test.each<[string, string, string]>([
    ['steps, in a range over a huge integer', '{{ range 9223372036854775807 }}{{ end }}', '100000 steps'],
    [
      'steps, in nested ranges',
      '{{ range 1000 }}{{ range 1000 }}{{ range 1000 }}{{ end }}{{ end }}{{ end }}',
      '100000 steps',
    ],
    ['steps, in searches', `${'{{ $x := 1 }}'.repeat(2000)}{{ range 10000 }}{{ $ }}{{ end }}`, '100000 steps'],
    ['steps, in paddings', '{{ $x := "" }}{{ range 100 }}{{ $x = printf "%1000000d" 1 }}{{ end }}', '100000 steps'],
    ['steps, in texts that double', '{{ $x := "x" }}{{ range 60 }}{{ $x = print $x $x }}{{ end }}', '100000 steps'],
    ['output, of texts', '{{ range 1000 }}0123456789ab{{ end }}', '10000 characters'],
    ['output, of values', '{{ printf "%20000d" 1 }}', '10000 characters'],
    [
      'output, of defined templates',
      '{{ define "x" }}{{ range 1000 }}01{{ end }}{{ end }}{{ range 10 }}{{ template "x" }}{{ end }}',
      '10000 characters',
    ],
    ['depth, of templates', '{{ define "x" }}{{ template "x" }}{{ end }}{{ template "x" }}', '50 levels'],
    ['depth, of included templates', '{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}', '50 levels'],
    [
      'depth, of templates that include each other',
      '{{ define "x" }}{{ include "y" . }}{{ end }}{{ define "y" }}{{ template "x" }}{{ end }}{{ template "x" }}',
      '50 levels',
    ],
  ])('%s', (_, text, sentence) => {
    expect(() => renderWithin({}, text)).toThrow(LimitError);
    expect(() => renderWithin({}, text)).toThrow(sentence);
  });
});

describe('the renderer stops, at a limit, a value that is', () => {
  test.each<[string, GoValue, string]>([
    ['cyclic', cyclicMap(), '200 levels'],
    ['wide', wideValue(50), '100000 steps'],
  ])('%s', (_, value, sentence) => {
    for (const text of [
      '{{ .x }}',
      '{{ print .x }}',
      '{{ printf "%v" .x }}',
      '{{ printf "%d" .x }}',
      '{{ html .x }}',
      '{{ eq .x .x }}',
    ]) {
      expect(() => renderWithin({}, text, new Map([['x', value]]))).toThrow(LimitError);
      expect(() => renderWithin({}, text, new Map([['x', value]]))).toThrow(sentence);
    }
  });

  test('cyclic, and printed without a budget', () => {
    expect(() => goPrint(cyclicMap())).toThrow(LimitError);
    expect(() =>
      goSprintf(
        '%*d'.repeat(20),
        Array.from({ length: 40 }, () => new GoInt(1_000_000n)),
      ),
    ).not.toThrow();
  });
});

describe('the parser stops at', () => {
  test.each<[string, string, string]>([
    ['parentheses', `{{ ${'('.repeat(100_000)}`, 'max expression depth exceeded'],
    ['control structures', '{{ if true }}'.repeat(100_000), 'max nesting of actions exceeded'],
    ['branches', `{{ if true }}${'{{ else if true }}'.repeat(100_000)}{{ end }}`, 'max nesting of actions exceeded'],
    ['blocks', '{{ block "x" . }}'.repeat(100_000), 'max nesting of actions exceeded'],
    ['parentheses in arguments', `{{ print ${'(print '.repeat(100_000)}`, 'max expression depth exceeded'],
  ])('too many %s', (_, text, reason) => {
    const error = catchError(() => parseTemplate('a.yaml', text, new Set()));
    expect(error).toBeInstanceOf(TemplateError);
    expect(error).toMatchObject({ reason, template: 'a.yaml', line: 1 });
  });
});

describe('the renderer takes linear time for a long but flat template:', () => {
  const count = 50_000;

  test.each<[string, string]>([
    ['a pipeline', `{{ 1${' | print'.repeat(count)} | len }}`],
    ['arguments', `{{ print${' 1'.repeat(count)} | len }}`],
    ['a chain of fields', `{{ .x${'.x'.repeat(count)} }}`],
    ['a chain of fields of a pipeline', `{{ (.x)${'.x'.repeat(count)} }}`],
    ['variables', '{{ $x := 1 }}{{ $x }}'.repeat(count)],
    ['spaces to trim', `${' '.repeat(count)}{{- "" -}}${' '.repeat(count)}x`.repeat(10)],
    ['half trim markers', ' {{ "" }} -'.repeat(count)],
    ['a string', `{{ "${'\\x41'.repeat(count)}" | len }}`],
    ['a raw string', `{{ \`${'x\n'.repeat(count)}\` | len }}`],
    ['a name', `{{ .${'é'.repeat(count)} }}`],
    ['comments', '{{/* a */}}'.repeat(count)],
    ['open braces', '{ { '.repeat(count)],
    ['definitions', '{{ define "x" }} {{ end }}'.repeat(count)],
  ])(
    '%s',
    (_, text) => {
      const limits = { steps: 10_000_000, outputLength: 10_000_000 };
      const values = new Map<string, GoValue>();
      values.set('x', values);
      expect(() => renderWithin(limits, text, values)).not.toThrow(RangeError);
    },
    10_000,
  );

  test('a number of a million digits', () => {
    const error = catchError(() => parseTemplate('a.yaml', `{{ ${'9'.repeat(1_000_000)} }}`, new Set()));
    expect(error).toBeInstanceOf(TemplateError);
  });
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
