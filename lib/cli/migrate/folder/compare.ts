import { counted } from '#base/counted';
import { type Finding, shownPlace } from '#base/findings/finding';
import { printableText } from '#base/findings/printable-text';
import { headline } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';
import { grouped } from '#base/grouped';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { type LintResult, lint } from '../../lint/lint';
import type { PlacedMap } from '../../repository/documents';
import { mapAt } from '../../repository/sources/source';
import type { MigratedPart } from '../migration';
import { runParts } from './run-parts';

/** The program to compare with the objects of the repository. */
export interface ComparedProgram {
  readonly parts: readonly MigratedPart[];
  readonly clusterDomain: string | undefined;
  readonly replaced: readonly PlacedMap[];
  /** The charts that the program does not install. */
  readonly without: readonly string[];
}

interface ComparedCode {
  readonly code: string;
  /** The number of findings in the repository. */
  readonly before: number;
  /** The number of findings in the repository about objects that the program does not replace. */
  readonly stays: number;
  /** The number of findings in the output of the program. */
  readonly after: number;
}

/** The findings of lint in a repository, and in the output of its program. */
export interface Comparison {
  readonly before: LintResult;
  /** Absent if synth refuses the program. */
  readonly after: LintResult | undefined;
  readonly codes: readonly ComparedCode[];
  readonly without: readonly string[];
  /** The findings of synth. */
  readonly synth: readonly Finding[];
}

/** Compares the findings of lint. The constructs are created from the same calls as the printed program. */
export function compareFindings(texts: ReadonlyMap<string, string>, program: ComparedProgram): Comparison {
  const before = lint(texts);
  const { files, findings: synth } = buildCluster({
    name: 'cluster',
    props: { domain: program.clusterDomain, external: program.parts.flatMap(({ external }) => external) },
    build: (cluster) => runParts(program.parts, cluster),
  });
  const isRefused = synth.some(({ severity }) => severity === 'error');
  const after = isRefused ? undefined : lint(new Map(files));
  const staying = before.findings.filter((finding) => !program.replaced.some((object) => isAbout(finding, object)));
  const [all, stays, made] = [before.findings, staying, after?.findings ?? []].map(countsOf);
  const codes = [...new Set([...(all?.keys() ?? []), ...(made?.keys() ?? [])])].sort();
  return {
    before,
    after,
    codes: codes.map((code) => ({
      code,
      before: all?.get(code) ?? 0,
      stays: stays?.get(code) ?? 0,
      after: made?.get(code) ?? 0,
    })),
    synth,
    without: program.without,
  };
}

function countsOf(findings: readonly Finding[]): ReadonlyMap<string, number> {
  const byCode = grouped(findings.map((finding) => [finding.problem.code, finding] as const));
  return new Map([...byCode].map(([code, all]) => [code, all.length]));
}

/** A kustomization may have changed the namespace of the object. */
function isAbout({ path, source }: Finding, { data, file }: PlacedMap): boolean {
  const [kind, name] = [String(data.kind), String(mapAt(data, 'metadata').name)];
  const isOf = path === `${kind} ${name}` || (path.startsWith(`${kind} `) && path.endsWith(`/${name}`));
  return isOf && source?.file === file;
}

/** Formats a comparison: a table of codes, and the errors of synth. */
export function comparisonText({ before, after, codes, synth, without }: Comparison, isAssumed: boolean): string {
  const rows = codes.map(({ code, before: all, stays, after: made }) => [
    code,
    all,
    stays,
    after === undefined ? '-' : made,
  ]);
  const left = without.map((chart) => [`${chart} is left out`, 1, 1, 0]);
  const table = [['lint finds', 'repository', 'stays', 'program'], ...rows, ...left].map((row) => row.map(String));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
  const objects = [
    `${counted(before.objects, 'object')} in the repository`,
    ...(after === undefined ? [] : [`${counted(after.objects, 'object')} of the program`]),
  ];
  return printableText(
    redact(
      [
        ...lines,
        `(${objects.join(', ')}; "stays": in objects that the program does not replace${isAssumed ? '; with a new trust anchor in place of the TODO' : ''})`,
        ...synthLines(synth),
        '',
      ].join('\n'),
    ),
  );
}

function synthLines(synth: readonly Finding[]): readonly string[] {
  const errors = synth.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return [];
  return [
    'synth refuses the program:',
    ...errors.map(({ path, source, problem }) =>
      `  ${source === undefined ? path : shownPlace(source)}: ${headline(problem)} [${problem.code}]`.replaceAll(
        '\n',
        ' ',
      ),
    ),
  ];
}
