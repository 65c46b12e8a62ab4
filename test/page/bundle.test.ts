import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '..', '..', 'page', 'build');
const read = <T>(file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as T;

test('the script contains the page, the decisions of the operator, and the simulation of the report', () => {
  const { inputs } = read<{ readonly inputs: readonly string[] }>('page.state.json');
  expect(inputs).toContain('packages/anchor/rotation/next.ts');
  expect(
    inputs.filter(
      (file) =>
        !/^(?:page\/src|operator\/api|packages\/(?:anchor|base)|lib\/review\/report\/(?:simulate|page))\//.test(file),
    ),
  ).toEqual([]);
});

test('the script closes no element of the page that contains it', () => {
  const { script, style } = read<{ readonly script: string; readonly style: string }>('page.json');
  expect([/<\/script/i.test(script), /<!--/.test(script), /<\/style/i.test(style)]).toEqual([false, false, false]);
});
