import { unsaid } from '../../../lib/kubernetes/findings/unsaid';

const problem = (about?: string, what = 'It is wrong') => ({ code: 'wrong', about, what, why: 'W', fix: 'F' });

test.each([
  ['values.proxy', 'values.proxy'],
  ['values.proxy', 'values.proxy.logLevel'],
  ['values.proxy.additionalEnv', 'values.proxy.additionalEnv[0]'],
])('leaves out, beside a problem of %s, that of %s', (said, about) => {
  expect(unsaid([problem(about)], [{ about: said }])).toEqual([]);
});

test.each([
  ['values.proxy', 'values.proxyInit'],
  ['values.proxy.logLevel', 'values.proxy'],
  ['values.proxy.additionalEnv[0]', 'values.proxy.additionalEnv[01]'],
])('keeps, beside a problem of %s, that of %s', (said, about) => {
  expect(unsaid([problem(about)], [{ about: said }])).toHaveLength(1);
});

test('does not go by the words of a problem', () => {
  const words = 'values.proxy is wrong';
  expect(unsaid([problem(undefined, words)], [{ about: 'values.proxy' }, problem(undefined, words)])).toHaveLength(1);
});
