import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WARNING_CODES } from '#lib/findings/warnings';

test('docs/operations.md lists the codes of all warnings, as the library describes them', () => {
  const text = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
  const section = text.slice(text.indexOf('\n## Warnings\n'));
  const rows = [...section.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, code, about]) => [code, about]);
  expect(rows).toEqual(Object.entries(WARNING_CODES));
});
