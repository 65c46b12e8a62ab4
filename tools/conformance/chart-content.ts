import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The SHA-256 of a chart: of its package, or of the names and contents of all files in its folder. */
export function chartDigest(path: string): string {
  if (!statSync(path).isDirectory()) return sha256(readFileSync(path));
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)))
    .sort();
  const lines = files.map((file) => `${sha256(readFileSync(join(path, file)))}  ${file.split(sep).join('/')}\n`);
  return sha256(lines.join(''));
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
