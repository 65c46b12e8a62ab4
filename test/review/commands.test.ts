import { entriesOf, type Text } from '#base/findings/catalogue';
import { CATALOGUES } from '#lib/cli/catalogues';

/** Parameters that are quoted already or constant: the program, whole commands, and words of the library. */
const OWN: Readonly<Record<string, string>> = { kubectl: 'kubectl', command: 'get x', kind: 'issuer', label: 'a=b' };

/** The texts of findings with commands, by their code and cause. */
const commands = CATALOGUES.flatMap(({ findings }) => entriesOf(findings)).flatMap(({ code, cause, fix }) =>
  textOf(fix, 'name').includes('kubectl ') ? [[[code, cause].join('/'), fix] as const] : [],
);

/** The text with this value for all other parameters. */
function textOf(text: Text, value: string): string {
  if (typeof text === 'string') return text;
  const parameters = new Proxy({}, { get: (_, key) => OWN[String(key)] ?? value });
  return String(text(parameters as never));
}

test('some findings contain commands', () => expect(commands.length).toBeGreaterThan(30));

test.each(commands)('the finding %s quotes names in its command, so that no name becomes an option', (_, fix) => {
  const hostile = '-x; touch y';
  const words = textOf(fix, hostile);
  const unquoted = words.replaceAll(`'${hostile}'`, 'QUOTED');
  expect(unquoted).not.toContain(hostile);
  // Allowed: the value of an option, a name after a kind and a slash, and prose.
  expect(unquoted).not.toMatch(/(?<!-[nc]|Service) QUOTED/);
});
