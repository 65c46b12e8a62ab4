import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFiles } from './schema-files';

for (const [name, text] of Object.entries(schemaFiles())) writeFileSync(join(__dirname, '../../schemas', name), text);
