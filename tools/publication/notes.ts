import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChangelog, releaseNotes } from './changelog';

/** `npx tsx tools/publication/notes.ts v1.2.3`: prints a version's section of CHANGELOG.md for the release page. */
function main([tag = '']: readonly string[]): void {
  const sections = readChangelog(readFileSync(join(__dirname, '..', '..', 'CHANGELOG.md'), 'utf8'));
  const section = sections.find(({ version }) => version === tag.replace(/^v/, ''));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section of "${tag}"`);
  process.stdout.write(releaseNotes(section));
}

try {
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
