import type * as Cdk8s from 'cdk8s';
import { App, Chart } from 'cdk8s';
import { addRule } from '#lib/gitops/tree/add-rule';
import { manifest } from '#lib/gitops/tree/manifest';
import { readObject } from '#lib/gitops/tree/read-object';

/** A second copy of cdk8s, as a package manager may install it. */
function otherCopy(): typeof Cdk8s {
  let copy: typeof Cdk8s | undefined;
  jest.isolateModules(() => {
    copy = require('cdk8s');
  });
  return copy as typeof Cdk8s;
}

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };

function synth(app: Cdk8s.App, chart: Cdk8s.Chart): void {
  manifest(chart, 'settings', CONFIG_MAP);
  addRule(chart, () => []);
  app.synthYaml();
}

test('synth refuses an App of another copy of cdk8s', () => {
  const other = otherCopy();
  const app = new other.App();
  expect(() => synth(app, new other.Chart(app, 'home'))).toThrow('[cdk8s-duplicate]');
});

test('synth accepts an App of the same copy of cdk8s', () => {
  const app = new App();
  expect(() => synth(app, new Chart(app, 'home'))).not.toThrow();
  class Custom extends App {}
  const custom = new Custom();
  expect(() => synth(custom, new Chart(custom, 'home'))).not.toThrow();
});

test('synth reads a plain object of another copy of cdk8s', () => {
  const other = otherCopy();
  const object = new other.ApiObject(new Chart(new App(), 'home'), 'settings', { ...CONFIG_MAP, data: { a: 'b' } });
  expect(readObject(object)).toEqual({ object: { ...CONFIG_MAP, data: { a: 'b' } } });
});

test('synth refuses an object of another copy of cdk8s with a lazy value, and names the cause', () => {
  const other = otherCopy();
  const data = other.Lazy.any({ produce: () => ({ a: 'b' }) });
  const object = new other.ApiObject(new Chart(new App(), 'home'), 'settings', { ...CONFIG_MAP, data });
  expect(readObject(object)).toEqual({
    problems: [
      expect.objectContaining({
        code: 'cdk8s-duplicate',
        cause: 'unread',
        parameters: expect.objectContaining({ object: 'ConfigMap settings' }),
      }),
    ],
  });
});
