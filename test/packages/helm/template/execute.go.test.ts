import { expectSameAsHelm } from './compare-with-helm';

const VALUES = {
  name: 'web',
  empty: '',
  zero: 0,
  one: 1,
  half: 0.5,
  yes: true,
  no: false,
  nothing: null,
  list: ['a', 'b', 'c'],
  mixed: [1, 'x', null, true, [1, 2], { k: 'v' }],
  none: [],
  map: { b: 2, a: 1, c: { d: { e: 'deep' } } },
  emptyMap: {},
};

describe('templates print the same as in Helm:', () => {
  test.each<[string, readonly string[]]>([
    ['errors of fields', ['{{ .Values.name.x }}', '{{ .Values.one.x.y }}']],
    ['parentheses around missing values', ['[{{ (.Values.missing).x }}]']],
    [
      'variables',
      [
        '{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}',
        '{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ $x }}{{ end }}{{ $x }}',
        '{{ $x := .Values }}{{ $x.name }}{{ $x.name.y }}',
        '{{ if or true ($x := 1) }}{{ $x }}{{ end }}',
      ],
    ],
    [
      'if',
      [
        '{{ if .Values.zero }}a{{ else if .Values.empty }}b{{ else if .Values.none }}c{{ else }}d{{ end }}',
        '{{ if .Values.emptyMap }}a{{ end }}{{ if .Values.half }}b{{ end }}{{ if 0.0 }}c{{ end }}{{ if nil }}d{{ end }}',
        '{{ if not .Values.missing }}a{{ end }}',
      ],
    ],
    ['with', ['{{ with .Values.map }}{{ .a }}{{ end }}', '{{ with .Values.name }}{{ .x }}{{ end }}']],
    [
      'range',
      [
        '{{ range $i, $e := .Values.list }}{{ $i }}={{ $e }};{{ end }}',
        '{{ range $k, $v := .Values.map }}{{ $k }}={{ $v }};{{ end }}',
        '{{ range .Values.none }}a{{ else }}b{{ end }}',
        '{{ range .Values.missing }}a{{ else }}b{{ end }}',
        '{{ range 3 }}{{ . }}{{ end }}',
        '{{ range $i := 3 }}{{ $i }}{{ end }}',
        '{{ range .Values.name }}{{ . }}{{ end }}',
        '{{ range "abc" }}{{ . }}{{ end }}',
        '{{ range .Values.list }}{{ if eq . "b" }}{{ continue }}{{ end }}{{ . }}{{ end }}',
        '{{ range .Values.list }}{{ if eq . "b" }}{{ break }}{{ end }}{{ . }}{{ end }}',
        '{{ range .Values.mixed }}{{ .x }}{{ end }}',
        '{{ range $e := .Values.mixed }}{{ $e.x }}{{ end }}',
        '{{ $x := "" }}{{ range $x = .Values.list }}{{ end }}{{ $x }}',
        '{{ $i := 0 }}{{ $x := "" }}{{ range $i, $x = .Values.list }}{{ end }}{{ $i }}{{ $x }}',
        '{{ range $i, $v := .Values.none }}{{ else }}{{ $i }}{{ $v }}{{ end }}',
      ],
    ],
    [
      'templates',
      [
        '{{ define "x" }}[{{ . }}]{{ end }}{{ template "x" .Values.name }}{{ template "x" }}{{ template "x" nil }}',
        '{{ define "x" }}[{{ .y }}]{{ end }}{{ template "x" }}',
        '{{ block "x" .Values.name }}<{{ . }}>{{ end }}{{ template "x" 1 }}',
        '{{ define "x" }}{{ end }}{{ define "x" }}a{{ end }}{{ template "x" }}',
        '{{ define "x" }}a{{ end }}{{ define "x" }} {{/* c */}} {{ end }}{{ template "x" }}',
        '{{ define "x" }}a{{ end }}{{ define "x" }}b{{ end }}{{ template "x" }}',
        '{{ define `r` }}raw{{ end }}{{ template "r" }}',
      ],
    ],
    [
      'commands',
      [
        '{{ .Values.name | printf "%s-%s" "a" }}',
        '{{ 1 | .Values.name }}',
        '{{ .Values.name 1 }}',
        '{{ .Values.map.a 1 }}',
        '{{ $x := 1 }}{{ 3 | $x }}',
        '{{ ("a") "b" }}',
        '{{ (index .Values.mixed 5).k }}',
        '{{ (index .Values.mixed 5).k.z }}',
        '{{ .Values.name | print "a" | len }}',
        '{{ printf 1 }}',
        '{{ printf .Values.one }}',
        '{{ printf (.Values.missing) }}',
        '{{ printf nil }}',
        '{{ printf true }}',
        '{{ 1 | printf }}',
      ],
    ],
  ])('%s', (_, templates) => expectSameAsHelm(templates, VALUES));
});
