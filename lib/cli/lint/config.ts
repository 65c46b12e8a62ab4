import { posix } from 'node:path';
import { defined } from '#base/defined';
import { type FilePlace, type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { suggest } from '#base/suggest';
import { type Reference, referencesIn } from '#kubernetes/objects/references';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { parseFleetText, type TextProblem } from '../../constructs/fleet/fleet-text';
import { compileSchema, type LocatedMisfit } from '../../constructs/fleet/schema-misfits';
import { isNamedByLines } from '../../gitops/synth/output/git-place';
import { lintConfigSchema, type Switch } from './config-schema';
import { LINT_FINDINGS } from './findings';
import { LINT_CODES } from './rules';

/** The configuration of lint. */
export interface LintConfig {
  /** Paths that are left out, as patterns of .gitignore. */
  readonly ignore?: readonly string[];
  /** Rules that are off, or that have another severity, by code. */
  readonly rules?: Readonly<Record<string, Switch>>;
  /** The release of a control plane that no file installs. */
  readonly release?: LinkerdVersion;
  /** The namespace in which a trust-manager that no file installs looks up sources of Bundles. */
  readonly trustNamespace?: string;
  /** Objects that exist, although no file contains them; all other objects that no file contains are missing. */
  readonly external?: readonly Reference[];
  /** Folders that are one cluster each, as patterns of .gitignore. */
  readonly clusters?: readonly string[];
  /** The file with findings that are ignored, relative to the configuration. */
  readonly baseline?: string;
}

/**
 * Reads a configuration.
 *
 * @param file - the path of the text in messages
 */
export function readLintConfig(
  file: string,
  text: string,
): { readonly config: LintConfig } | { readonly findings: readonly Finding[] } {
  if (
    text
      .replace(/^\ufeff/, '')
      .replaceAll(/^\s*(?:#.*)?$/gm, '')
      .trim() === ''
  )
    return { config: {} };
  const parsed = parseFleetText(text, {
    syntax: LINT_FINDINGS.lintConfigRefused,
    empty: () => LINT_FINDINGS.lintConfigRefusedNotMap({ value: 'empty' }),
    aliases: () =>
      LINT_FINDINGS.lintConfigRefused({
        message: 'its aliases are too many, contain themselves, or expand to too many values',
      }),
  });
  if (!('data' in parsed)) return { findings: findingsOf(file, parsed) };
  const validate = compileSchema(lintConfigSchema());
  const misfits = typeof validate === 'function' ? validate(parsed.data) : [];
  const wrong = [
    ...misfits.map((misfit) => ({ path: misfit.segments, problem: problemOf(misfit) })),
    ...(misfits.length === 0 ? patternProblems(parsed.data as Given) : []),
  ];
  if (wrong.length > 0) {
    return {
      findings: findingsOf(
        file,
        wrong.map(({ path, problem }) => ({ problem, position: parsed.positionOf(path) })),
      ),
    };
  }
  const { external, $schema: _, ...rest } = parsed.data as Given;
  return { config: defined({ ...rest, external: external && referencesIn(external) }) };
}

type Given = Omit<LintConfig, 'external'> & {
  readonly $schema?: string;
  readonly external?: readonly Readonly<Record<string, string>>[];
};

function findingsOf(file: string, problems: readonly TextProblem[]): readonly Finding[] {
  return problems.flatMap(({ problem, position }) => {
    const source: FilePlace = { file, ...position };
    return findingsAt(posix.basename(file), [problem]).map((finding) => ({ ...finding, source }));
  });
}

function problemOf({ segments, data: _, ...misfit }: LocatedMisfit): Problem {
  if (segments.length === 0) return LINT_FINDINGS.lintConfigRefusedNotMap({ value: misfit.value });
  const [field, code] = segments;
  if (field === 'rules' && code !== undefined && misfit.is === 'unknown') {
    return LINT_FINDINGS.lintConfigRefusedCode({ code, similar: suggest(code, LINT_CODES)[0] });
  }
  return LINT_FINDINGS.lintConfigRefusedEntry(misfit);
}

/** Refuses patterns that the matcher of .gitignore lines would match with everything, or with nothing. */
function patternProblems({
  ignore = [],
  clusters = [],
}: Given): readonly { path: readonly string[]; problem: Problem }[] {
  return Object.entries({ ignore, clusters }).flatMap(([field, patterns]) =>
    patterns.flatMap((pattern, index) => {
      if (/^[^*[\]\\]*(?:\*+[^*[\]\\]*){0,3}$/.test(pattern)) return [];
      const path = [field, `${index}`];
      return [{ path, problem: LINT_FINDINGS.lintConfigRefusedPattern({ path: `${field}[${index}]`, pattern }) }];
    }),
  );
}

/** Returns the folder of the cluster that contains a path; undefined if there is none. */
export function clusterIn(patterns: readonly string[], path: string): string | undefined {
  const parts = path.split('/');
  const folders = parts.map((_, last) => parts.slice(0, last + 1).join('/'));
  return folders.find((folder) => isNamedByLines(patterns, folder));
}
