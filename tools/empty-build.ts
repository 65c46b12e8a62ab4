import { rmSync } from 'node:fs';
import { join } from 'node:path';

// The compiler leaves files there whose sources are gone, and all that is there is packed.
rmSync(join(__dirname, '..', 'build'), { recursive: true, force: true });
