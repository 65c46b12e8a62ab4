import * as fc from 'fast-check';
import { askHelm } from '#test/support/helm-oracle';
import { chartFiles, expectHelmsOutput, inCharts, ourOutput } from './compare-with-helm';

/** A template that prints a text as a quoted value, so that the text need not be YAML. */
function printing(template: string): string {
  return `{{ define "text" }}${template}{{ end }}text: {{ include "text" . | quote }}`;
}

const VALUES = 'a: 1\nb: {c: [1, 2], d: null}\nbig: 1000000\ntext: "x"\n';

test('the renderer gives templates the same objects as Helm', () => {
  expectHelmsOutput([
    {
      files: chartFiles({
        'Chart.yaml': `apiVersion: v2
name: parent
version: 1.2.3
appVersion: 1.10
type: application
annotations: {a: 1, b: true, c: text}
keywords: [x, y]
sources: [https://example.com]
maintainers: [{name: n, email: e}]
kubeVersion: '>=1.20.0-0'
deprecated: false
`,
        'values.yaml': VALUES,
        'templates/a.yaml':
          printing(`name: {{ .Chart.Name }} {{ .Chart.Version }} {{ .Chart.AppVersion }} {{ .Chart.Type }} {{ .Chart.IsRoot }}
annotations: {{ .Chart.Annotations }} {{ .Chart.Annotations.a | quote }} {{ .Chart.Annotations.none | quote }}
metadata: {{ toYaml .Chart | quote }}
release: {{ toJson .Release }} {{ printf "%T" .Release.Revision }}
values: {{ toJson .Values }} {{ .Values.big }} {{ .Values.none }}
template: {{ .Template.Name }} {{ .Template.BasePath }}
kube: {{ .Capabilities.KubeVersion }} {{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.KubeVersion.Major }} {{ .Capabilities.KubeVersion.Minor }} {{ .Capabilities.KubeVersion.GitVersion }}
has: {{ .Capabilities.APIVersions.Has "apps/v1" }} {{ .Capabilities.APIVersions.Has "x/v1" }} {{ .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }} {{ len .Capabilities.APIVersions }}
maintainers: {{ range .Chart.Maintainers }}{{ .Name }} {{ .Email }}{{ end }}
types: {{ kindOf .Chart }} {{ typeOf .Files }} {{ kindOf .Capabilities }}
`),
      }),
      kubeVersion: '1.31.2-gke.100',
      apiVersions: ['monitoring.coreos.com/v1'],
    },
  ]);
});

test('the renderer gives templates the same files as Helm', () => {
  expectHelmsOutput([
    {
      files: chartFiles({
        'config/a.txt': 'one\ntwo\n',
        'config/b.yaml': 'x: 1\n',
        'config/deep/c.txt': 'deep',
        'other.bin': Buffer.from([0, 1, 255, 254]),
        'empty.txt': '',
        'templates/a.yaml': printing(`get: {{ .Files.Get "config/a.txt" | quote }} {{ .Files.Get "none" | quote }}
lines: {{ range .Files.Lines "config/a.txt" }}[{{ . }}]{{ end }}{{ .Files.Lines "none" | len }}
glob: {{ range $path, $_ := .Files.Glob "config/**.txt" }}{{ $path }} {{ end }}
globs: {{ range $pattern := list "config/*" "**" "*" "config/?.txt" "{config,other}*/**" "[!c]*" "config/[a-b].*" "c*/d*/*" }}
  - {{ $pattern }}:{{ range $path, $_ := $.Files.Glob $pattern }} {{ $path }}{{ end }}{{ end }}
config:
{{ (.Files.Glob "config/*").AsConfig | indent 2 }}
secrets:
{{ (.Files.Glob "config/*").AsSecrets | indent 2 }}
bytes: {{ .Files.GetBytes "config/b.yaml" }} {{ .Files.GetBytes "config/b.yaml" | toString | quote }}
odd bytes: {{ .Files.GetBytes "other.bin" | toString | b64enc }} {{ .Files.GetBytes "config/a.txt" | quote }}
none: {{ (.Files.Glob "zzz").AsConfig }}
binary: {{ .Files.Get "other.bin" | b64enc }}
len: {{ len .Files }}
`),
      }),
    },
  ]);
});

test('globs count characters, and truncate the last character of each part, as in Helm', () => {
  const names = ['axb', 'a☺b', 'a☺', '☺b', 'äxb', 'ab☺', 'a☺☺', 'aäb', 'd/☺', 'a\u{1F600}b', 'ax☺b'];
  const patterns = [
    'a?b',
    'a?',
    '?b',
    'ä?b',
    'ab?',
    'a??',
    'a[!x]b',
    'a[☺ä]b',
    'd/?',
    '??',
    '?',
    'a☺b',
    'a?☺b',
    'ä',
    '[ä-☺]?b',
    'a?[!b]',
  ];
  expectHelmsOutput([
    {
      files: chartFiles({
        ...Object.fromEntries(names.map((name) => [name, '1'])),
        'templates/a.yaml': printing(
          patterns
            .map((pattern) => `${pattern}:{{ range $p, $_ := .Files.Glob "${pattern}" }} {{ $p }}{{ end }}`)
            .join('\n'),
        ),
      }),
    },
  ]);
});

const GLOB_PIECES = [
  ...['a', 'b', 'é', '漢', '😀', '?', '*', '**', '/', '[a-z]', '[é-ö]', '[!é]', '[!a]', '[é漢]', '{a,é}', '{*,é}'],
  ...['{?b,é?}', '.yaml', '*.yaml', '\\é', 'conf/'],
];

test('a glob matches the same files as in Helm, or is refused if Helm would truncate characters', () => {
  const names = [
    'ab',
    'aé',
    'éa',
    'aéb',
    'é/b',
    'b/漢',
    'a漢b',
    '漢字',
    'a😀',
    '😀b/é',
    'é.yaml',
    'conf/é.yaml',
    'conf/b.yaml',
  ];
  const pieces = fc.array(fc.constantFrom(...GLOB_PIECES), { minLength: 1, maxLength: 3 });
  const patterns = fc.sample(pieces, { numRuns: 300, seed: 20261129 }).map((parts) => parts.join(''));
  const template =
    '{{ define "x" }}{{ range $p, $_ := .Files.Glob .Values.p }} {{ $p }}{{ end }}{{ end }}a: {{ include "x" . | quote }}';
  const files = chartFiles({ ...Object.fromEntries(names.map((name) => [name, '1'])), 'templates/a.yaml': template });
  const questions = [...new Set(patterns)].map((p) => ({ files, values: { p }, output: true }));
  const answers = askHelm(questions);
  const ours = questions.map((question) => ourOutput(question));
  const refused = ours.filter(({ error }) => error?.includes('may cut a character'));
  expect(refused.length).toBeLessThan(ours.length / 3);
  for (const [index, { values }] of questions.entries()) {
    const [our, helms] = [ours[index], answers[index]];
    if (our === undefined || refused.includes(our)) continue;
    expect([values.p, our.output]).toEqual([values.p, helms?.output]);
  }
});

test('the renderer orders definitions, partials and notes as Helm does', () => {
  expectHelmsOutput([
    {
      files: chartFiles({
        'templates/_a.tpl': '{{ define "name" }}first{{ end }}{{ define "own" }}own{{ end }}',
        'templates/_b.tpl': '{{ define "name" }}second{{ end }}',
        'templates/a.yaml': 'a: {{ include "name" . }} {{ template "own" . }} {{ include "child" . }}',
        'templates/deep/b.yaml': '{{ define "name" }}deep{{ end }}b: {{ include "name" . }}',
        'templates/empty.yaml': '{{ if false }}x{{ end }}\n\n',
        'templates/NOTES.txt': 'Notes of {{ .Release.Name }}',
        'templates/sub/NOTES.txt': 'notes: {{ include "name" . }}',
        ...inCharts('child', {
          'templates/_c.tpl': '{{ define "name" }}child{{ end }}{{ define "child" }}c{{ end }}',
          'templates/c.yaml': 'c: {{ include "name" . }} {{ .Chart.IsRoot }} {{ .Template.BasePath }}',
          'templates/NOTES.txt': 'x: y',
        }),
      }),
    },
  ]);
});

test('the renderer evaluates include and tpl as Helm does', () => {
  expectHelmsOutput([
    {
      files: chartFiles({
        'templates/_a.tpl': '{{ define "x" }}[{{ . }}]{{ end }}',
        'values.yaml':
          'text: "{{ .Values.inner }} {{ .Values.none }}"\ninner: 5\nnested: \'{{ tpl .Values.text . }}\'\n',
        'templates/a.yaml': `a: {{ tpl .Values.text . }}
b: {{ tpl .Values.nested . }}
c: {{ tpl "{{ define \\"y\\" }}<{{ . }}>{{ end }}{{ include \\"y\\" 1 }}{{ include \\"x\\" 2 }}" . }}
d: {{ tpl "plain <no value>" . }}{{ tpl "" . }}
e: {{ tpl "{{ tpl \\"{{/* nothing */}}\\" . }}!" . }}
f: {{ tpl (toYaml .Values.inner) . }}
g: {{ tpl "{{ define \\"x\\" }}other{{ end }}{{ include \\"x\\" . }}" . }} {{ include "x" 3 }}
`,
      }),
    },
  ]);
});

/** Expressions of the template objects apart from values, with nil in place of fields that Chart.yaml omits. */
const OBJECTS = [
  '.Chart',
  '.Chart.Metadata',
  '.Chart.Keywords',
  '.Chart.Sources',
  '.Chart.Annotations',
  '.Chart.Maintainers',
  '(index .Chart.Maintainers 0)',
  '.Chart.Dependencies',
  '.Chart.Deprecated',
  '.Subcharts.child.Chart',
  '.Subcharts.child.Chart.Keywords',
  '.Subcharts.child.Chart.Maintainers',
  '.Subcharts.child.Chart.Annotations',
  '.Capabilities.KubeVersion',
  '.Capabilities.Copy.KubeVersion',
  '(default .Capabilities.KubeVersion "")',
  '(dict "a" .Capabilities.KubeVersion).a',
  '.Capabilities.APIVersions',
  '.Files',
  '(.Files.Glob "*.txt")',
  '(.Files.GetBytes "x.txt")',
  '(.Files.GetBytes "none")',
  '(index .Files "none")',
  '(slice (.Files.GetBytes "b.bin") 1 3)',
  '(.Files.Lines "x.txt")',
  '.Template',
  '.Release',
  '.Values',
];

/** Expressions that use one of these objects, X. */
const USES = [
  'toJson X',
  'toPrettyJson X',
  'toRawJson X',
  'toYaml X',
  'toYamlPretty X',
  'toToml (dict "a" X)',
  'toYamlPretty (list X)',
  'toYaml (dict "b" (list X) "a" X)',
  'X | quote',
  'X | squote',
  'toString X',
  'print X',
  'printf "%v|%+v|%#v|%s|%q|%T" X X X X X X',
  'printf "%v|%#v|%s" (list X) (list X) (dict "a" X)',
  'typeOf X }} {{ kindOf X }} {{ empty X }} {{ not X',
  'deepEqual X X }} {{ deepEqual X (list "x" "y")',
  'eq X X',
  'join "," X',
  'toStrings X | toJson',
  'deepCopy X | toJson',
  'get (merge (dict) (dict "a" X)) "a" | typeOf',
  'range X }}{{ . }}{{ toJson . }}{{ end',
  'len X',
  'first X | toJson }} {{ typeOf (rest X)',
  'has "x" X',
  'range $key, $value := X }}{{ $key }}{{ typeOf $value }}{{ end',
  'X',
  'X.String',
  'X.Name',
  'X.GitVersion',
];

test('the renderer prints, encodes, compares and types template objects as Helm does', () => {
  const base = chartFiles({
    'Chart.yaml': `apiVersion: v2
name: parent
version: 1.2.3
keywords: [x, "y"]
sources: []
maintainers: [{url: u, email: e}]
annotations: {b: "1", a: "2"}
dependencies: [{name: child, version: 1.x, tags: []}]
`,
    'x.txt': 'hi\n',
    'b.bin': Buffer.from([0, 255, 1]),
    ...inCharts('child', {}),
  });
  const asked = OBJECTS.flatMap((object) => USES.map((use) => use.replace(/X/g, object)));
  const questions = asked.map((use) => ({
    files: { ...base, 'templates/a.yaml': `${printing(`{{ ${use} }}`)}` },
    output: true,
  }));
  const helm = askHelm(questions);
  // Go prints different addresses of pointers each time.
  const comparable = (text = '') => text.replace(/0x[0-9a-f]{9,}/g, '0xADDRESS');
  const differences = asked.flatMap((use, index) => {
    const ours = ourOutput(questions[index] ?? { files: {} });
    const isSame =
      helm[index]?.output === undefined ? ours.error : comparable(ours.output) === comparable(helm[index].output);
    return isSame
      ? []
      : [
          {
            use,
            helm: comparable(helm[index]?.output ?? helm[index]?.error),
            ours: comparable(ours.output ?? ours.error),
          },
        ];
  });
  expect(differences).toEqual([]);
});
