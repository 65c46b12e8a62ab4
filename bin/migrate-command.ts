import { describeProblem } from '#base/findings/problem';
import type { ChartName } from '#lib/cli/chart-names';
import { migrate as migrateValues } from '#lib/cli/migrate/migrate';
import type { LinkerdVersion } from '#lib/linkerd/releases/known-releases';
import { releaseOf } from '#lib/linkerd/releases/release';
import { EXIT, problemReport, type Terminal } from './terminal';
import { readValues, type ValuesOptions } from './values-options';

/** The options of `migrate`. */
export interface MigrateOptions extends ValuesOptions {
  readonly chart: ChartName;
  readonly release: LinkerdVersion;
  readonly namespace?: string;
  readonly existingCertManager?: boolean;
  readonly newAnchor?: boolean;
}

/** Prints the program for a user's values. */
export async function migrate(options: MigrateOptions, terminal: Terminal): Promise<number> {
  const { chart, release, namespace, existingCertManager, newAnchor } = options;
  const read = await readValues(options, terminal, true);
  const migration =
    'problems' in read
      ? read
      : migrateValues({
          chart,
          release: releaseOf(release),
          values: read.values,
          namespace,
          existingCertManager,
          newAnchor,
        });
  if ('problems' in migration) {
    terminal.stderr.write(problemReport(migration.problems));
    return EXIT.refused;
  }
  for (const warning of migration.warnings) terminal.stderr.write(`warning: ${describeProblem(warning)}\n`);
  terminal.stdout.write(migration.program);
  return EXIT.done;
}
