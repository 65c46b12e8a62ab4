import { App, Chart, JsonPatch } from 'cdk8s';
import { RenderedObject } from '../../../lib/gitops/charts/rendered-object';
import { plainJson, plainObject } from '../../../lib/gitops/tree/plain-json';

const DATA = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'shop' }, data: { a: '1' } };

const rendered = (chart = new Chart(new App(), 'chart')) => new RenderedObject(chart, 'object', DATA);

test('an object of a chart is read as what its data would be without it', () => {
  expect(rendered().toJson()).toEqual(DATA);
  expect(plainJson(rendered())).toBe(plainObject(DATA));
});

test('what was done to it is there', () => {
  const object = rendered();
  object.metadata.addLabel('team', 'shop');
  object.addJsonPatch(JsonPatch.add('/data/b', '2'));
  expect(plainJson(object)).toEqual({
    ...DATA,
    metadata: { ...DATA.metadata, labels: { team: 'shop' } },
    data: { a: '1', b: '2' },
  });
  expect(plainJson(object)).toEqual(object.toJson());
});

test('other data makes it another', () => {
  const object = rendered();
  const { data: _, ...others } = DATA;
  const data = { ...others, immutable: true };
  object.become(data);
  expect(object.toJson()).toEqual(data);
  expect(plainJson(object)).toEqual(data);
});
