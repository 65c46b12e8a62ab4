import type { Finding } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import { isObject } from '#base/is-object';
import { LINT_FINDINGS } from './findings';

/** Known findings of one code about one object, and their number. */
export interface BaselineEntry {
  readonly code: string;
  readonly cause?: string;
  /** The object, or the file, that the finding is about. */
  readonly object: string;
  /** @default 1 */
  readonly count?: number;
}

/** The findings that a baseline does not contain. */
export interface BeyondBaseline {
  readonly findings: readonly Finding[];
  /** The number of findings that the baseline contains. */
  readonly known: number;
  /** Entries of the baseline that match no finding. */
  readonly idle: readonly BaselineEntry[];
}

/** Returns the text of a baseline. It lists findings by code and object, because line numbers change. */
export function baselineText(findings: readonly Finding[]): string {
  const groups = [...grouped(findings.map((finding) => [keyOf(entryOf(finding)), entryOf(finding)]))];
  const entries = groups
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, [entry, ...others]]) => ({ ...entry, ...(others.length > 0 && { count: others.length + 1 }) }));
  return `${JSON.stringify({ version: 1, findings: entries }, undefined, 2)}\n`;
}

/** Reads a baseline, or returns why it is invalid. */
export function readBaseline(text: string): readonly BaselineEntry[] | Problem {
  try {
    const data = jsonIn(text);
    if (!isObject(data) || !Array.isArray(data.findings)) throw new Error('it has no list "findings"');
    if (data.version !== 1) throw new Error('its version is not 1');
    const entries: readonly unknown[] = data.findings;
    const wrong = entries.findIndex((entry) => !isEntry(entry));
    if (wrong >= 0) throw new Error(`findings[${wrong}] is not a map with code and object`);
    return entries as readonly BaselineEntry[];
  } catch (error) {
    return LINT_FINDINGS.lintBaselineRefused({ reason: error instanceof Error ? error.message : String(error) });
  }
}

/** Hides the message of the parser, which quotes the text: the text may be of any file. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new Error('not valid JSON');
  }
}

function isEntry(entry: unknown): entry is BaselineEntry {
  if (!isObject(entry)) return false;
  const { code, cause = '', object, count = 1 } = entry;
  return (
    [code, cause, object].every((one) => typeof one === 'string') && Number.isSafeInteger(count) && Number(count) > 0
  );
}

/** Removes the findings of a baseline, each as often as the baseline counts it. */
export function beyondBaseline(findings: readonly Finding[], baseline: readonly BaselineEntry[]): BeyondBaseline {
  const left = new Map<string, number>();
  for (const entry of baseline) left.set(keyOf(entry), (left.get(keyOf(entry)) ?? 0) + (entry.count ?? 1));
  const beyond = findings.filter((finding) => {
    const key = keyOf(entryOf(finding));
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    return count === 0;
  });
  return {
    findings: beyond,
    known: findings.length - beyond.length,
    idle: baseline.filter((entry) => (left.get(keyOf(entry)) ?? 0) > 0),
  };
}

function entryOf({ path, problem: { code, cause } }: Finding): BaselineEntry {
  return { code, ...(cause !== undefined && { cause }), object: path };
}

function keyOf({ code, cause, object }: BaselineEntry): string {
  return JSON.stringify([code, cause ?? null, object]);
}
