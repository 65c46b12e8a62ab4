import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeProblem } from '#base/findings/problem';
import { readRegularFile } from '#helm/chart/regular-file';
import { CLI_FINDINGS } from '#lib/cli/findings';
import { migrateAll } from '#lib/cli/migrate/migrate';
import type { Migration } from '#lib/cli/migrate/migration';
import { mapsIn } from '#lib/cli/repository/documents';
import { releaseOfSources } from '#lib/cli/repository/release-of-sources';
import { chartsOfSources } from '#lib/cli/repository/sources/charts-of-sources';
import { readSources } from '#lib/cli/repository/sources/read-sources';
import { type HelmSource, joinSources } from '#lib/cli/repository/sources/source';
import { objectsOfFolder } from '#lib/cli/repository/sources/values-from';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import type { ChartName } from '#linkerd/renderers/chart-names';
import { EXIT, problemReport, type Terminal } from './terminal';
import { type FileContent, layeredOver, readContents, type ValuesOptions } from './values-options';

/** The options of `migrate`. */
export interface MigrateOptions extends ValuesOptions {
  readonly chart: ChartName;
  readonly release: LinkerdVersion;
  readonly namespace?: string;
  readonly existingCertManager?: boolean;
  readonly newAnchor?: boolean;
}

/**
 * Prints the program for a user's values.
 *
 * @param isReleaseGiven - whether the user set --release; otherwise the release of the values' images has precedence
 */
export async function migrate(options: MigrateOptions, terminal: Terminal, isReleaseGiven: boolean): Promise<number> {
  const contents = await readContents(options, terminal);
  const migration = migrationOf(contents, options, { terminal, isReleaseGiven });
  if ('problems' in migration) {
    terminal.stderr.write(problemReport(migration.problems));
    return EXIT.refused;
  }
  for (const warning of migration.warnings) terminal.stderr.write(`warning: ${describeProblem(warning)}\n`);
  terminal.stdout.write(migration.program);
  return EXIT.done;
}

interface Given {
  readonly terminal: Terminal;
  readonly isReleaseGiven: boolean;
}

function migrationOf(contents: readonly FileContent[], options: MigrateOptions, given: Given): Migration {
  const { chart, namespace, existingCertManager, newAnchor } = options;
  const objects = contents.flatMap(({ content }) => mapsIn(content));
  const { sources, problems, notes } = joinSources(
    contents.map(({ file, content }) => readSources(file, content, [...objects, ...objectsBeside(file, content)])),
  );
  if (contents.length > 0 && sources.length === 0) {
    if (problems.length > 0) return { problems };
    return { problems: [CLI_FINDINGS.releaseRefusedNoChart({ place: contents.map(({ file }) => file).join(', ') })] };
  }
  const plain = sources.filter((source) => source.chart === undefined).map(({ values }) => values);
  const over = layeredOver(options, plain, given.terminal);
  if ('problems' in over) return { problems: [...problems, ...over.problems] };
  const named = sources.filter((source) => source.chart !== undefined);
  const isOver = named.length === 0 || Object.keys(over.values).length > 0;
  const merged = chartsOfSources(named, isOver ? { chart, values: over.values, namespace } : undefined);
  const release = releaseFor([...named, { chart, values: over.values }], options, given);
  const migration = migrateAll(merged.charts, {
    release: releaseOf(release),
    existingCertManager,
    newAnchor,
    now: new Date(),
  });
  const refused = [...problems, ...merged.problems, ...('problems' in migration ? migration.problems : [])];
  return 'problems' in migration || refused.length > 0
    ? { problems: refused }
    : { ...migration, warnings: [...notes, ...migration.warnings] };
}

/** The limits for a folder: its number of files, and the bytes of one file. */
const MAX_FILES = 500;
const MAX_BYTES = 1_000_000;

/** Returns the objects in the folder of a release that reads values from other objects. */
function objectsBeside(file: string, content: string): ReturnType<typeof objectsOfFolder> {
  if (!content.includes('valuesFrom') || statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const folder = dirname(file);
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const small = names.slice(0, MAX_FILES).filter(({ name }) => statSync(join(folder, name)).size <= MAX_BYTES);
  return objectsOfFolder(new Map(small.map(({ name }) => [name, readRegularFile(join(folder, name))])));
}

function releaseFor(
  sources: readonly Pick<HelmSource, 'chart' | 'values' | 'version'>[],
  { release }: MigrateOptions,
  { isReleaseGiven }: Given,
): LinkerdVersion {
  return isReleaseGiven ? release : (releaseOfSources(sources) ?? release);
}
