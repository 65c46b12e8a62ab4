import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { suggest } from '#base/suggest';
import type { LintConfig } from '#lib/cli/lint/config';
import type { Switch } from '#lib/cli/lint/config-schema';
import { findingsText } from '#lib/cli/lint/report';
import { LINT_CODES } from '#lib/cli/lint/rules';
import { gitRootOf, isNamedByLines } from '#lib/gitops/synth/output/git-place';
import { textAt } from './lint-files';
import { Misuse, type Terminal } from './terminal';

/** The name of the configuration that lint uses without --config. */
const CONFIG_FILE = '.cdk8s-linkerd-lint.yaml';

/** The settings from the options and the configuration. */
export interface LintSettings {
  readonly config: LintConfig;
  /** Converts a path relative to the working folder to one relative to the folder of the configuration. */
  readonly placeOf: (path: string) => string;
  /** An absolute path. */
  readonly baseline: string | undefined;
}

/** The options from which the settings follow. */
export interface SettingOptions {
  readonly config?: string;
  readonly baseline?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
}

/**
 * Reads the configuration that the options name, or one in the working folder or at the root of its repository.
 * If the configuration is invalid, the function prints the findings and returns undefined.
 */
export function readSettings(options: SettingOptions, { stderr }: Terminal): LintSettings | undefined {
  checkCodes([...(options.only ?? []), ...(options.skip ?? [])]);
  const file = options.config ?? foundConfig();
  const folder = file === undefined ? process.cwd() : dirname(resolve(file));
  const config = file === undefined ? {} : configIn(file, stderr);
  if (config === undefined) return undefined;
  const given = config.baseline === undefined ? undefined : resolve(folder, config.baseline);
  if (options.baseline === undefined && given !== undefined) {
    const { checkBaselinePlace } = require('./lint-baseline') as typeof import('./lint-baseline');
    checkBaselinePlace(given, folder);
  }
  return {
    config,
    placeOf: (path) => relative(folder, resolve(path)).split(sep).join('/'),
    baseline: options.baseline === undefined ? given : resolve(options.baseline),
  };
}

function checkCodes(codes: readonly string[]): void {
  for (const code of codes) {
    if (LINT_CODES.includes(code)) continue;
    const [similar] = suggest(code, LINT_CODES);
    const meant = similar === undefined ? '--list-rules prints them' : `did you mean "${similar}"?`;
    throw new Misuse(`no rule has the code "${code}"; ${meant}`);
  }
}

function foundConfig(): string | undefined {
  const folder = process.cwd();
  const folders = [folder, gitRootOf(folder) ?? folder];
  const found = folders.map((one) => join(one, CONFIG_FILE)).find((path) => existsSync(path));
  return found === undefined ? undefined : relative(folder, found);
}

function configIn(file: string, stderr: Terminal['stderr']): LintConfig | undefined {
  const { readLintConfig } = require('#lib/cli/lint/config') as typeof import('#lib/cli/lint/config');
  const read = readLintConfig(file.split(sep).join('/'), textAt(file));
  if ('config' in read) return read.config;
  stderr.write(findingsText(read.findings));
  return undefined;
}

/** Whether the configuration excludes a path. */
export function isIgnored({ config: { ignore = [] }, placeOf }: LintSettings, path: string): boolean {
  if (ignore.length === 0) return false;
  const place = placeOf(path);
  return !place.startsWith('../') && isNamedByLines(ignore, place);
}

/** Returns whether the options and the configuration turn a finding off or on, or which severity they set. */
export function switchOf(code: string, { only, skip }: SettingOptions, { rules = {} }: LintConfig): Switch {
  if (only !== undefined && !only.includes(code)) return 'off';
  if (skip?.includes(code) === true) return 'off';
  const configured = rules[code] ?? 'on';
  return only !== undefined && configured === 'off' ? 'on' : configured;
}
