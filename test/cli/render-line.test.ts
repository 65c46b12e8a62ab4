import type { RenderRequest } from '#lib/cli/render-chart';
import { renderLine } from '#lib/cli/render-line';

const REQUEST: RenderRequest = { chart: 'linkerd2-cni', values: { logLevel: 'debug' } };

function answer(line: string, request = REQUEST) {
  const { text, isRequest } = renderLine(line, request, 7);
  return { ...(JSON.parse(text) as { name: string; error?: string; objects?: object[] }), text, isRequest };
}

test('renderLine answers a request with its name and objects on one line', () => {
  const { name, objects, text, isRequest } = answer('{"name":"a\\nb","values":{}}');
  expect({ name, isRequest }).toEqual({ name: 'a\nb', isRequest: true });
  expect(objects?.length).toBeGreaterThan(3);
  expect(text).not.toContain('\n');
});

test('renderLine answers a request with all problems of its values', () => {
  const { name, error, isRequest, objects } = answer('{"name":"a","values":{"logLvl":"x","proxyUid":1}}');
  expect({ name, isRequest, objects }).toEqual({ name: 'a', isRequest: true, objects: undefined });
  expect(error).toMatch(/logLvl .*Fix: did you mean logLevel\?\n.*proxyUid .*Fix: did you mean proxyUID\?/);
});

test.each([
  ['{', /JSON/],
  ['[]', /not an object/],
  ['{"values":{}}', /"name" must be a string/],
  ['{"name":"a"}', /"values" must be an object/],
  ['{"name":"a","values":[]}', /"values" must be an object/],
])('renderLine refuses the request %s', (line, why) => {
  const { name, error, isRequest } = answer(line);
  expect({ name, isRequest }).toEqual({ name: 'line 7', isRequest: false });
  expect(error).toMatch(why);
  expect(error).toContain('Fix: ');
});
