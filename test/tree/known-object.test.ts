import { App, Chart, JsonPatch } from 'cdk8s';
import { Cluster } from '../../lib/tree/cluster';
import { KnownObject } from '../../lib/tree/known-object';
import { manifest } from '../../lib/tree/manifest';
import { plainJson } from '../../lib/tree/plain-json';
import { unchangedData } from '../../lib/tree/unchanged-data';

const DATA = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'shop' }, data: { a: '1' } };

const known = (scope = new Cluster(new App(), 'home') as Chart) => new KnownObject(scope, 'object', DATA);

test('an object is known as long as nobody could have changed it, whoever reads it', () => {
  const object = known();
  expect(object.toJson()).toEqual(DATA);
  expect(object.name).toBe('web');
  expect(unchangedData(object)).toBe(DATA);
});

test.each([
  ['its metadata', (object: KnownObject) => object.metadata.addLabel('team', 'shop')],
  ['a patch', (object: KnownObject) => object.addJsonPatch(JsonPatch.add('/data/b', '2'))],
])('%s makes it unknown', (_, change) => {
  const object = known();
  change(object);
  expect(unchangedData(object)).toBeUndefined();
  expect(object.toJson()).not.toEqual(DATA);
});

test('other data makes it another, and is known, too', () => {
  const object = known();
  const { data: _, ...others } = DATA;
  const data = { ...others, immutable: true };
  object.become(data);
  expect(object.toJson()).toEqual(data);
});

test('objects of charts that add to all in them are not known, nor are other constructs', () => {
  const home = new Cluster(new App(), 'home');
  const labelled = new Chart(home, 'labelled', { labels: { team: 'shop' }, namespace: 'other' });
  expect(unchangedData(known(labelled))).toBeUndefined();
  expect(unchangedData(known(new Chart(new App(), 'plain')))).toBeUndefined();
  expect(unchangedData(manifest(home, 'manifest', DATA))).toBeUndefined();
  expect(unchangedData(home)).toBeUndefined();
});

test('what is known is read as plain data, without being touched, and what was done to it is there', () => {
  const object = known();
  expect(plainJson(object)).toEqual(DATA);
  expect(unchangedData(object)).toBe(DATA);
  object.metadata.addLabel('team', 'shop');
  object.addJsonPatch(JsonPatch.add('/data/b', '2'));
  expect(plainJson(object)).toEqual(object.toJson());
  object.toJson = () => ({});
  expect(plainJson(object)).toBeUndefined();
});
