import { readChart } from '#helm/chart/chart';
import { renderChart } from '#helm/render';

test('the renderer ends the last text block of a document with a line break, as Helm does', () => {
  const texts = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n';
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: texts\nversion: 1.0.0\n',
    'templates/all.yaml': `${texts}  text: |\n    one\n---\n${texts}  text: |-\n    two\n---\n${texts}  text: |+\n    three`,
  };
  const chart = readChart(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])));
  const { objects } = renderChart(chart, { name: 'texts', namespace: 'texts', kubeVersion: 'v1.34.0' });
  expect(objects.map(({ object }) => object.data)).toEqual([{ text: 'one\n' }, { text: 'two' }, { text: 'three\n' }]);
});

test('the renderer keeps a large file as characters instead of a number for each byte', () => {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: files\nversion: 1.0.0\n',
    'large.bin': 'x'.repeat(2_000_000),
    'templates/all.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:
  hash: {{ range 4 }}{{ $.Files | toYaml | sha256sum }}{{ toJson ($.Files.GetBytes "large.bin") | len }}{{ end }}\n`,
  };
  const chart = readChart(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])));
  const { objects } = renderChart(chart, { name: 'files', namespace: 'files', kubeVersion: 'v1.34.0' });
  expect(objects.map(({ object }) => object.data)).toEqual([
    { hash: expect.stringMatching(/^([0-9a-f]{64}2666670){4}$/) },
  ]);
});
