import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Values } from '#base/values';
import { stringifyYaml } from '#base/yaml-writer';
import { Seal, unmarked } from '#kubernetes/findings/sealed-data';
import { SECRET_FORMS, SHOWN_FORMS } from '../../base/secrets/secret-corpus';

const object = (kind: string, fields: object) => ({
  apiVersion: 'example.com/v1',
  kind,
  metadata: { name: 'a', namespace: 'b' },
  ...fields,
});
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each(SECRET_FORMS)('Seal hides %s, and replaces different secrets by different marks', (_, kind, fields) => {
  const [one, other] = ['hunter2aBcD3fGhIjKlM', 'hunter2zYxW9uTsRqPoN'] as const;
  const seal = new Seal();
  const [first, second] = [seal.data(object(kind, fields(one))), seal.data(object(kind, fields(other)))];
  for (const part of ['hunter2', base64(one).slice(4, 20), base64(`u:${one}`).slice(4, 20)]) {
    expect(JSON.stringify([first, second])).not.toContain(part);
  }
  expect(first).not.toEqual(second);
  expect(unmarked(first)).toEqual(unmarked(second));
  expect(seal.data(object(kind, fields(one)))).toEqual(first);
  const whole = seal.object(object(kind, fields(one)) as Values);
  expect(JSON.stringify(whole)).toBe(JSON.stringify(first));
  expect(whole).toEqual(first);
});

test('Seal hides the same values of an object, regardless of objects that it read before', () => {
  const objects = [
    ...SECRET_FORMS.map(([, kind, fields]) => object(kind, fields('hunter2aBcD3fGhIjKlM'))),
    ...SHOWN_FORMS.map(([, kind, fields]) => object(kind, fields)),
  ];
  const nested = objects.map((data) =>
    object('ConfigMap', { data: { text: stringifyYaml(data), json: JSON.stringify(data) } }),
  );
  const all = [...objects, ...nested, ...objects.toReversed()];
  const seal = new Seal();
  expect(all.map((data) => unmarked(seal.data(data)))).toEqual(all.map((data) => unmarked(new Seal().data(data))));
});

test('Seal hides the members of an object when they are read, and returns the same result each time', () => {
  const data = object('Secret', { data: { any: 'hunter2' }, spec: { password: 'hunter2' } }) as Values;
  const sealed = new Seal().object(data);
  expect(Object.keys(sealed)).toEqual(Object.keys(data));
  expect(sealed.data).toBe(sealed.data);
  expect({ ...sealed }).toEqual(new Seal().data(data));
  expect(data).toHaveProperty('data.any', 'hunter2');
});

test.each(SHOWN_FORMS)('Seal shows %s', (_, kind, fields) => {
  const shown = object(kind, fields);
  expect(new Seal().data(shown)).toEqual(shown);
  expect(unmarked(shown)).toEqual(shown);
});

test('Seal hides nothing in dist/ of this repository', () => {
  const dist = join(__dirname, '../../../../dist');
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith('.yaml'),
  );
  expect(files.length).toBeGreaterThan(200);
  for (const { parentPath, name } of files) {
    const contents = parse(readFileSync(join(parentPath, name), 'utf8'));
    expect(new Seal().data(contents)).toEqual(contents);
  }
});

test.each([
  ...[' ', '\n', '- ', '--', 'a=', 'a: ', 'password=', 'password: ', 'password: "', '--password ', '"', '{'],
  ...['QUJD', ' MIGH'],
])('Seal reads a long text of %j in linear time', (text) => {
  for (const long of [text.repeat(200_000 / text.length), `${text.repeat(200_000 / text.length)}\n`]) {
    expect(new Seal().data({ data: { text: long } })).toHaveProperty('data.text');
  }
});

test('Seal does not parse text as YAML that expands to billions of values or is nested too deeply', () => {
  const names = 'abcdefghij';
  const bomb = [...names].map(
    (name, index) => `${name}: &${name} [${Array(9).fill(index === 0 ? 'x' : `*${names[index - 1]}`)}]`,
  );
  const texts = [bomb.join('\n'), '['.repeat(50_000), `${'{a: '.repeat(20_000)}\n`];
  for (const text of texts) expect(new Seal().data({ data: { text } })).toEqual({ data: { text } });
});
