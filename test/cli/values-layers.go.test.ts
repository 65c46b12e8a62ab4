import { readFileSync } from 'node:fs';
import { layeredValues, type ValuesLayers } from '#lib/cli/values-layers';
import { ValuesChart } from './helm-values';

const NONE: ValuesLayers = { files: [], json: [], typed: [], strings: [], contents: [] };

function layered(layers: Partial<ValuesLayers>, readFile: (path: string) => string = (path) => `text of ${path}`) {
  return layeredValues({ ...NONE, ...layers }, readFile);
}

test('layeredValues merges all kinds of flags in the order of Helm', () => {
  const chart = new ValuesChart();
  try {
    const files = [
      { a: { b: 1, c: [1, 2] }, d: 'file', l: [{ x: 1 }], z: { z: 1 } },
      { a: { b: 2 }, d: { e: 1 }, z: 'gone' },
    ];
    const content = chart.file('content.pem', 'PEM\n');
    const layers: ValuesLayers = {
      files,
      json: ['j={"k":1},a.j=1', 'j.l=[1]'],
      typed: ['a.b=3,t=1', 'l[0].y=2', 'a.c[3]=9'],
      strings: ['t=1,s=true', 'n={1,null}'],
      contents: [`f=${content}`, `l[1]=${content}`],
    };
    const flags = [
      ...files.flatMap((file, index) => ['-f', chart.file(`${index}.json`, JSON.stringify(file))]),
      ...layers.contents.flatMap((flag) => ['--set-file', flag]),
      ...layers.strings.flatMap((flag) => ['--set-string', flag]),
      ...layers.typed.flatMap((flag) => ['--set', flag]),
      ...layers.json.flatMap((flag) => ['--set-json', flag]),
    ];
    const ours = layeredValues(layers, (path) => readFileSync(path, 'utf8'));
    expect(ours).toEqual(chart.values(flags));
    expect(ours).toMatchObject({ a: { b: 3, j: 1, c: [1, 2, null, 9] }, t: '1', f: 'PEM\n', z: 'gone' });
  } finally {
    chart.remove();
  }
});

test('layeredValues keeps a null of a later file, which removes the chart’s value', () => {
  expect(layered({ files: [{ a: { b: 1 } }, { a: { b: null } }] })).toEqual({ a: { b: null } });
});

test('layeredValues reads the files in --set-file', () => {
  expect(layered({ contents: ['a={x,y}'] })).toEqual({ a: ['text of x', 'text of y'] });
});

test('layeredValues does not change the values of files', () => {
  const file = { a: { b: [1] } };
  layered({ files: [file], typed: ['a.b[0]=2,a.c=1'] });
  expect(file).toEqual({ a: { b: [1] } });
});

test('layeredValues refuses invalid flags', () => {
  expect(() => layered({ typed: ['a'] })).toThrow(new SyntaxError('key "a" has no value'));
  expect(() => layered({ json: ['a={'] })).toThrow(SyntaxError);
  expect(() => layered({ files: [{ a: 'text' }], typed: ['a.b=1'] })).toThrow('"a" is "text", not a map');
});
