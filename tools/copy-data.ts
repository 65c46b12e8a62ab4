import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');

// The compiler copies only the JSON that modules import; schemas and values are read by name when they are needed.
cpSync(join(root, 'imports'), join(root, 'build', 'imports'), {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || /\.(schema|defaults|ha)\.json$/.test(path),
});

// The package contains the operator's program, so it must contain these notices.
cpSync(join(root, 'operator', 'build', 'THIRD-PARTY-NOTICES'), join(root, 'build', 'THIRD-PARTY-NOTICES'));
