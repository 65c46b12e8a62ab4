import { rmSync } from 'node:fs';
import { join } from 'node:path';

// The compiler keeps files whose sources are gone, and the package contains the whole folder.
rmSync(join(__dirname, '..', 'build'), { recursive: true, force: true });
