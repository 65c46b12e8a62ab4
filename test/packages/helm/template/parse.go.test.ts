import { parseTemplate } from '#helm/template/parse';
import { expectSameAsHelm } from './compare-with-helm';

describe('templates parse as in Helm:', () => {
  test.each<[string, readonly string[]]>([
    [
      'trim markers',
      [
        'a \n\t {{- "b" -}} \r\n c',
        'a {{- /* c */ -}} b',
        'a {{/* c */}} b',
        'a {{- /* c */}} b',
        'a {{/* c */ -}} b',
        'a {{-3}} {{- 3}}b',
        '{{ -}}',
        '{{ print (1 -}}',
        '{{ print (1  -}}',
        '{{-\n1\n-}}\nb',
      ],
    ],
    ['comments', ['{{/* a */ }}', '{{/* a', '\n\n{{/* a\n\n */ }}']],
    ['unclosed actions', ['{{', '{{ "a\n" }}', '{{ `a', '\n{{ print\n\n1', '\n{{ if\n\n"a\n"}}', '{{ 1) }}']],
    [
      'control structures',
      [
        '{{ end }}',
        '{{ else }}',
        '{{ if true }}{{ else }}{{ else }}{{ end }}',
        '{{ if false }}{{ else\nif true }}b{{ end }}',
        '{{ range 3 }}{{ break 1 }}{{ end }}',
        '{{ range 3 }}{{ block "x" . }}{{ break }}{{ end }}{{ end }}',
        '{{ range 3 }}a{{ else }}{{ break }}{{ end }}',
        '{{ end 1 }}',
        '{{ else 1 }}',
        '{{ if true 1 }}{{ end }}',
        '{{ define }}{{ end }}',
        '{{ define x }}{{ end }}',
        '{{ define "x" }}{{ else }}{{ end }}',
        '{{ define "\\q" }}{{ end }}',
        '{{ block }}{{ end }}',
        '{{ block x . }}{{ end }}',
        '{{ if$x := 1 }}{{ $x }}{{ end }}',
      ],
    ],
    [
      'variables',
      [
        '{{ $x, $y := 1 }}',
        '{{ range $x, $y, $z := .x }}{{ end }}',
        '{{ range $x, 1 }}{{ end }}',
        '{{ range $x, }}{{ end }}',
        '{{ range $x, := .x }}{{ end }}',
        '{{ $x : 1 }}',
        '{{ $x =1 }}',
        '{{ if true }}{{ $x := 1 }}{{ end }}{{ $x }}',
        '{{ $x := 1 }}{{ $x+2 }}',
        '{{ $x-y := 1 }}',
        '{{ with $x := 1 }}{{ else }}{{ $x }}{{ end }}{{ $x }}',
      ],
    ],
    [
      'operands',
      [
        '{{ foo }}',
        '{{ .Values.1 }}',
        '{{ 1.a }}',
        '{{ "a".b }}',
        '{{ true.x }}',
        '{{ print \u0001 }}',
        '{{ print é }}',
        '{{ print ☃ }}',
        '{{ print "a" | (print) }}',
        '{{ a\u00e9\u0301 }}',
        '{{ print "long long long string" 1"long long long é string" }}',
        '{{ print = 1 }}',
      ],
    ],
    [
      'numbers',
      [
        '{{ 0 }} {{ -0 }} {{ +1 }} {{ 017 }} {{ 0o17 }} {{ 0b101 }} {{ 0x1F }} {{ 1_000 }} {{ 0x_1f }} {{ -0x1f }}',
        '{{ 1.5 }} {{ .5 }} {{ 5. }} {{ 1e3 }} {{ 1E-3 }} {{ 0x1p4 }} {{ 0x1.8p1 }} {{ 1_0.5 }} {{ 1e1_0 }} {{ -1.5 }}',
        '{{ 08.5 }}',
        '{{ 0o8 }}',
        '{{ 1e999 }}',
        '{{ 0x1p99999 }}',
        '{{ +- }}',
        '{{ 9223372036854775808 }}',
        '{{ 18446744073709551615 }}',
        '{{ 18446744073709551616 }}',
        '{{ -9223372036854775809 }}',
        '{{ 0xeeeeeeeeeeeeeeeee }}',
        '{{ -0xe }} {{ 0xe }} {{ 0xE }} {{ -0x1e }}',
        '{{ printf "%T %T %T %T" 1 1.0 1e3 \'a\' }}',
        '{{ 1e18 }} {{ 1e19 }} {{ 123456789.0 }} {{ 1e20 }} {{ 1e21 }} {{ 0.00001 }} {{ 100000.0 }} {{ 1000000.0 }}',
      ],
    ],
    [
      'strings',
      [
        '{{ "\\a\\b\\f\\n\\r\\t\\v\\\\\\"" | printf "%q" }}',
        '{{ "\\x41\\101\\u0041\\U00000041\\u00e9\\U0001F600" }}',
        '{{ "\\xc3\\xa9" }}{{ "\\xff" | len }}{{ "\\xff" | printf "%q" }}{{ "a\\xc3" }}{{ "\\xa9" }}',
        '{{ "\\400" }}',
        '{{ "\\ud800" }}',
        '{{ "\\U00110000" }}',
        '{{ `a\r\nb\\n` | printf "%q" }}',
        "{{ 'a' }} {{ '\\n' }} {{ '\\'' }} {{ '\\\\' }} {{ 'é' }} {{ '\\x41' }} {{ '\\u00e9' }} {{ '😀' }} {{ '\\377' }}",
        "{{ 'ab' }}",
        "{{ '' }}",
        "{{ '\\\"' }}",
        '{{ "a\0b" | printf "%q" }}\0',
        '{{ "a" }}\r\n{{- "b" }}\r\n',
      ],
    ],
  ])('%s', (_, templates) => expectSameAsHelm(templates, { x: [1], name: 'web' }));
});

test('a parsed template contains all its definitions, and stays the same over many executions', () => {
  const templates = parseTemplate('a.yaml', 'x{{ define "y" }}z{{ end }}', new Set());
  expect([...templates.keys()]).toEqual(['y', 'a.yaml']);
});
