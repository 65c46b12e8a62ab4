import { basePath } from '../go/path';
import { trimSpace } from '../go/unicode';
import type { Budget } from '../go/values';
import { filePattern, PatternError } from './path-match';

/** Returns whether a chart ignores one of its files or folders. */
export type Ignores = (path: string, isFolder: boolean) => boolean;

interface Rule {
  readonly isNegated: boolean;
  readonly mustBeFolder: boolean;
  readonly matches: (path: string) => boolean;
}

/** Helm always ignores hidden files in `templates`. */
const DEFAULTS = 'templates/.?*';

/**
 * Reads a `.helmignore` as Helm does (helm.sh/helm/v3/pkg/ignore/rules.go). Unlike in a `.gitignore`, a rule with `!`
 * ignores everything that it does not match.
 *
 * @throws PatternError if a rule is not well-formed
 */
export function readHelmignore(text: string, budget: Budget): Ignores {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const rules = [...lines, DEFAULTS].flatMap((line) => ruleOf(line, budget));
  return (path, isFolder) =>
    rules.some((rule) => {
      budget.spend(1);
      return ignores(rule, path, isFolder);
    });
}

function ignores({ isNegated, mustBeFolder, matches }: Rule, path: string, isFolder: boolean): boolean {
  const applies = !mustBeFolder || isFolder;
  return isNegated ? !(applies && matches(path)) : applies && matches(path);
}

function ruleOf(line: string, budget: Budget): readonly Rule[] {
  budget.spend(1);
  const rule = trimSpace(line);
  if (rule === '' || rule.startsWith('#')) return [];
  if (rule.includes('**'))
    throw new PatternError(`the rule "${rule}" of .helmignore contains **, which Helm does not support`);
  const isNegated = rule.startsWith('!');
  const mustBeFolder = rule.endsWith('/');
  const body = rule.slice(isNegated ? 1 : 0, mustBeFolder ? -1 : undefined);
  const matches = matcher(body.startsWith('/') ? body.slice(1) : body, rule, budget);
  // A rule without a slash matches names in every folder.
  return [{ isNegated, mustBeFolder, matches: body.includes('/') ? matches : (path) => matches(basePath(path)) }];
}

function matcher(pattern: string, rule: string, budget: Budget): (path: string) => boolean {
  try {
    return filePattern(pattern, budget);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new PatternError(`the rule "${rule}" of .helmignore is not a pattern: ${error.message}`);
  }
}
