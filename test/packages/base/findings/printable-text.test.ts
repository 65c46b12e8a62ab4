import { printableText } from '#base/findings/printable-text';

test.each([
  ['of a terminal', 'a\u001b[2Jb\rc', 'a\\u001b[2Jb\\u000dc'],
  ['that change the direction', 'a\u202eb', 'a\\u202eb'],
  ['of GitHub Actions', 'x ##[add-mask]y', 'x \\u0023#[add-mask]y'],
  [
    'of Azure Pipelines',
    '##vso[task.setvariable variable=PATH]/tmp',
    '\\u0023#vso[task.setvariable variable=PATH]/tmp',
  ],
  ['of TeamCity', '##teamcity[x]', '\\u0023#teamcity[x]'],
])('commands %s are escaped', (_of, text, expected) => {
  expect(printableText(text)).toBe(expected);
});

test('headings and line feeds stay, and JSON says the same as before', () => {
  expect(printableText('## Title\n#1 [a](b)')).toBe('## Title\n#1 [a](b)');
  const data = { message: '##vso[x] ##[y]' };
  expect(JSON.parse(printableText(JSON.stringify(data)))).toEqual(data);
});
