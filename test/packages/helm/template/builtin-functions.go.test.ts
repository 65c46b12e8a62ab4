import { expectSameAsHelm } from './compare-with-helm';

const VALUES = {
  name: 'web',
  accented: 'héllo😀',
  one: 1,
  half: 0.5,
  yes: true,
  nothing: null,
  list: ['a', 'b', 'c'],
  nested: [[1, 2], { k: ['v'] }],
  map: { b: 2, a: 1, '': 'empty', 'a.b': 'dotted', constructor: 'c', __proto__x: 'p' },
  html: `<a href="x">'&\u0000é\u2028\u0007=\\</a>`,
};

describe('functions of templates return the same as in Helm:', () => {
  test.each<[string, readonly string[]]>([
    [
      'index',
      [
        '{{ index .Values "name" }}{{ index .Values.list 0 }}{{ index .Values.nested 1 "k" 0 }}',
        '{{ index .Values.map "" }}{{ index .Values.map "a.b" }}{{ index .Values.map "constructor" }}',
        '[{{ index .Values.map "toString" }}][{{ index .Values.map "__proto__" }}][{{ .Values.map.__proto__ }}]',
        '[{{ index .Values "missing" }}]',
        '{{ index .Values "missing" "x" }}',
        '{{ index .Values.missing "x" }}',
        '{{ index (.Values.missing) "x" }}',
        '{{ index nil "x" }}',
        '{{ index .Values.list 3 }}',
        '{{ index .Values.list 4 }}',
        '{{ index .Values.list -1 }}',
        '{{ index .Values.list 1.0 }}',
        '{{ index .Values.list .Values.one }}',
        '{{ index .Values.list nil }}',
        '{{ index .Values.list .Values.missing }}',
        '{{ index .Values.map nil }}',
        '{{ index "abc" 1 }}{{ index "é" 0 | printf "%T" }}',
        '{{ index "abc" 3 }}',
        '{{ index 1 0 }}',
        '{{ index .Values.one 0 }}',
      ],
    ],
    [
      'len',
      [
        '{{ len .Values.list }}{{ len .Values.map }}{{ len .Values.name }}{{ len .Values.accented }}{{ len "" }}',
        '{{ len .Values.missing }}',
        '{{ len (.Values.missing) }}',
        '{{ len nil }}',
        '{{ len 1 }}',
        '{{ len true }}',
      ],
    ],
    [
      'print',
      [
        '{{ print }}{{ print 1 2 }}{{ print "a" 1 2 "b" "c" }}{{ print nil nil }}{{ print .Values.missing 1 }}',
        '{{ println }}{{ println 1 "a" nil }}',
        '{{ print .Values.list .Values.map .Values.half .Values.yes }}',
      ],
    ],
    [
      'escapers',
      [
        '{{ html .Values.html }}',
        '{{ js .Values.html }}',
        '{{ urlquery .Values.html " a+b/c~d_e-f.g" }}',
        '{{ html "a" 1 2 nil }}{{ html .Values.missing }}{{ html }}{{ html .Values.list }}',
        '{{ js 1 nil }}{{ js .Values.missing }}{{ urlquery nil 1 }}',
        '{{ .Values.accented | js }}{{ .Values.accented | urlquery }}{{ "\\xff" | js }}{{ "\\xff" | urlquery }}',
      ],
    ],
    [
      'logic',
      [
        '{{ and 1 0 2 }}{{ and 1 2 }}{{ or 0 "" 3 4 }}{{ or 0 "" }}{{ and true }}{{ or false }}',
        '{{ and 0 .Values.a.b.c }}{{ or 1 .Values.a.b.c }}',
        '[{{ and .Values.missing 1 }}][{{ or .Values.missing nil }}][{{ or nil }}]',
        '{{ not 0 }}{{ not 1 }}{{ not "" }}{{ not nil }}{{ not .Values.missing }}{{ not .Values.list }}',
        '{{ (and .Values.map).a }}{{ (or .Values.missing .Values.map).b }}',
      ],
    ],
    [
      'eq',
      [
        '{{ eq 1 1 }}{{ eq 1 2 }}{{ eq 1 2 1 }}{{ eq "a" "a" }}{{ eq true true }}{{ eq 1.5 1.5 }}{{ ne 1 2 }}',
        '{{ eq (len .Values.name) 3 }}{{ eq (index "a" 0) 97 }}{{ eq 97 (index "a" 0) }}',
        '{{ eq nil nil }}{{ eq nil .Values.missing }}{{ eq .Values.nothing .Values.missing }}{{ eq "a" nil }}{{ eq nil 1 }}',
        '{{ eq .Values.list nil }}{{ eq nil .Values.list }}{{ eq .Values.map nil }}',
        '{{ eq .Values.list .Values.list }}',
        '{{ eq .Values.map .Values.map }}',
        '{{ eq .Values.map .Values.list }}',
        '{{ eq 1 }}',
        '{{ eq 1 1 "a" }}',
        '{{ ne "a" 1 }}',
        '{{ eq .Values.nothing "" }}',
      ],
    ],
    [
      'lt',
      [
        '{{ lt 1 2 }}{{ lt 2 1 }}{{ le 1 1 }}{{ gt 2 1 }}{{ ge 1 1 }}{{ lt "a" "b" }}{{ lt 1.5 2.5 }}{{ gt 1.0 1.0 }}',
        '{{ lt "\uffee" "😀" }}{{ lt "a" "é" }}{{ lt "" "a" }}{{ ge "b" "a" }}',
        '{{ lt 1 1.0 }}',
        '{{ lt "a" 1 }}',
        '{{ lt true false }}',
        '{{ lt 1 nil }}',
        '{{ gt .Values.one 0.0 }}',
        '{{ lt (index "a" 0) 98 }}{{ lt -1 (index "a" 0) }}{{ lt (index "a" 0) -1 }}',
      ],
    ],
    ['call', ['{{ call nil }}', '{{ call .Values.name }}', '{{ call .Values.none 1 }}', '{{ call (print "a") 1 2 }}']],
  ])('%s', (_, templates) => expectSameAsHelm(templates, VALUES));
});
