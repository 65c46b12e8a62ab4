import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIBRARY_VERSION } from '#lib/gitops/synth/output/library-version';
import { checkRelease, distributionTag } from './check-release';

const read = (file: string) => readFileSync(join(__dirname, '..', '..', file), 'utf8');

/** `npx tsx tools/publication/check.ts v1.2.3`: prints the contradictions in a release or, without any, its npm tag. */
function main([tag]: readonly string[]): void {
  if (tag === undefined) throw new Error('Name the tag: npx tsx tools/publication/check.ts v1.2.3');
  const lock = JSON.parse(read('package-lock.json'));
  const problems = checkRelease({
    tag,
    versions: {
      'package.json': JSON.parse(read('package.json')).version,
      'package-lock.json': lock.version,
      'package-lock.json, packages[""],': lock.packages[''].version,
      'lib/gitops/synth/output/library-version.ts': LIBRARY_VERSION,
      'operator/package.json': JSON.parse(read('operator/package.json')).version,
      'package-lock.json, packages["operator"],': lock.packages.operator.version,
    },
    changelog: read('CHANGELOG.md'),
  });
  if (problems.length === 0) process.stdout.write(`${distributionTag(tag)}\n`);
  else throw new Error(problems.join('\n'));
}

try {
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
