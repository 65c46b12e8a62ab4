import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_RULES } from '../../../lib/kubernetes/api-rules/walk';

const IMPORTS = join(__dirname, '../../../imports');

function definitions(document: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(IMPORTS, `${document}.schema.json`), 'utf8')).definitions;
}

// A rule of a definition that is not there, or is called otherwise since, would never be asked.
test.each(Object.keys(API_RULES))('there is a definition for the rules of %s', (address) => {
  const [document = '', name = ''] = address.includes('#') ? address.split('#') : ['kubernetes', address];
  expect(Object.keys(definitions(document))).toContain(name);
});
