import { printableText } from '#base/findings/printable-text';

test.each([
  ['of a terminal', 'a\u001b[2Jb\rc', 'a\\u001b[2Jb\\u000dc'],
  ['of bidirectional text', 'a\u202eb', 'a\\u202eb'],
  ['of GitHub Actions', 'x ##[add-mask]y', 'x \\u0023#[add-mask]y'],
  ['of Azure', '##vso[task.setvariable variable=PATH]/tmp', '\\u0023#vso[task.setvariable variable=PATH]/tmp'],
  ['of TeamCity', '##teamcity[x]', '\\u0023#teamcity[x]'],
])('printed text has escaped commands %s', (_of, text, expected) => expect(printableText(text)).toBe(expected));
