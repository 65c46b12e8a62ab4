import { describeProblem, type Problem } from '#base/findings/problem';
import { unreadLines } from '#lib/cli/lint/unread';
import { compareFindings, comparisonText } from '#lib/cli/migrate/folder/compare';
import { migrateRepository } from '#lib/cli/migrate/folder/migrate-repository';
import { readRepository } from '#lib/cli/migrate/folder/read-repository';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { readFilesAt } from './lint-files';
import { checkOutFile, writeOutFile } from './out-file';
import { EXIT, problemReport, type Terminal } from './terminal';

/** The options of `migrate FOLDER`. */
export interface MigrateFolderOptions {
  readonly release: LinkerdVersion;
  readonly existingCertManager?: boolean;
  readonly newAnchor?: boolean;
  readonly cluster?: string;
  readonly out?: string;
}

/** The files that are read: manifests, and files from which releases may read values. */
const READ = /\.(?:ya?ml|json|tf|tofu|crt|pem|env|properties)$|(?:^|\/)Kustomization$/i;

/**
 * Prints the program for the mesh of a repository, and compares its findings with those of the repository.
 *
 * @param isReleaseGiven - whether the user set --release; otherwise the release of images and charts has precedence
 */
export function migratePaths(
  paths: readonly string[],
  options: MigrateFolderOptions,
  { terminal: { stdout, stderr }, isReleaseGiven }: { readonly terminal: Terminal; readonly isReleaseGiven: boolean },
): number {
  const { release, existingCertManager, newAnchor, cluster, out } = options;
  if (out !== undefined) checkOutFile(out);
  const { files, unread } = readFilesAt(paths, { names: READ });
  for (const line of unreadLines(unread)) stderr.write(`${line}\n`);
  const content = readRepository(files);
  const given = {
    release: isReleaseGiven ? release : undefined,
    usualRelease: release,
    existingCertManager,
    newAnchor,
    cluster,
    folders: paths,
    now: new Date(),
  };
  const migration = migrateRepository(content, given);
  if ('problems' in migration) {
    warn(migration.notes ?? [], stderr);
    stderr.write(problemReport(migration.problems));
    return EXIT.refused;
  }
  warn(migration.warnings, stderr);
  if (migration.sameIn.length > 0) stderr.write(`the program is the same for ${migration.sameIn.join(', ')}\n`);
  const isToFillIn = migration.program.includes("TODO: the PEM of the mesh's anchor");
  const assumed = isToFillIn ? migrateRepository(content, { ...given, newAnchor: true }) : migration;
  if ('parts' in assumed) stderr.write(comparisonText(compareFindings(manifestsOf(files), assumed), isToFillIn));
  if (out === undefined) stdout.write(migration.program);
  else writeOutFile(out, migration.program);
  return EXIT.done;
}

function warn(warnings: readonly Problem[], stderr: Terminal['stderr']): void {
  for (const warning of new Set(warnings.map(describeProblem))) stderr.write(`warning: ${warning}\n`);
}

function manifestsOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...files].filter(([path]) => /\.(?:ya?ml|json)$/i.test(path)));
}
