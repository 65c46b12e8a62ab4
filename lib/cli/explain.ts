import { closest } from 'fastest-levenshtein';
import { type CatalogueEntry, entriesOf, textWithNames } from '#base/findings/catalogue';
import { sentence } from '#base/findings/problem';
import { fixesWithNames, rulesOf } from '#kubernetes/findings/rule-words';
import { WARNING_CODES } from '../checks/warnings';
import { CONSEQUENCES, type ConsequenceEntry } from '../review/diff/consequences/catalogue';
import { CATALOGUE, CATALOGUES, type FindingsRoom } from './catalogues';

/**
 * Returns the explanation of a code of findings, or of a diff's consequences; undefined for an unknown code.
 *
 * @param pages - address or folder of the documentation; relative paths are printed if it is empty
 */
export function explain(code: string, pages = ''): string | undefined {
  const texts = [explainFinding(code), explainConsequence(code)].filter((text) => text !== undefined);
  if (texts.length === 0) return undefined;
  const text = texts.join('\n');
  if (pages === '') return text;
  const docs = `${pages.replace(/\/$/, '')}/docs/`;
  return text.replace(/^See: .*$/gm, (line) => line.replaceAll('docs/', () => docs));
}

function explainFinding(code: string): string | undefined {
  const causes = CATALOGUE.filter((entry) => entry.code === code);
  const [first] = causes;
  if (first === undefined) return undefined;
  const rooms = CATALOGUES.filter(({ findings }) => entriesOf(findings).some((entry) => entry.code === code));
  const pages = new Set([
    ...rooms.flatMap(({ page }) => page ?? []),
    ...(Object.hasOwn(WARNING_CODES, first.code) ? ['docs/operations.md#warnings'] : []),
    `docs/reference/findings.md#${code}`,
  ]);
  return [
    `${code} (${severityOf(first)})`,
    '',
    ...causes.flatMap((cause) => [
      sentence(textWithNames(cause.what)),
      `Why: ${sentence(textWithNames(cause.why))}`,
      ...fixesOf(cause),
      '',
    ]),
    `See: ${[...pages].join(', ')}`,
    '',
  ].join('\n');
}

function fixesOf(entry: CatalogueEntry): readonly string[] {
  const rules = rulesOf(entry);
  if (rules === undefined) {
    const fixes = fixesWithNames(entry).map(sentence);
    return fixes.length === 1 ? [`Fix: ${fixes[0]}`] : ['Fix, one of:', ...fixes.map((fix) => `  - ${fix}`)];
  }
  const lines = Object.values(rules).map(
    (rule) => `  - ${textWithNames(rule.why)}: ${sentence(textWithNames(rule.fix))}`,
  );
  return ['Fix, by the rule:', ...lines];
}

function explainConsequence(code: string): string | undefined {
  const entry = CONSEQUENCE_ENTRIES.get(code);
  if (entry === undefined) return undefined;
  const { severity, what, why, fix } = entry;
  return [
    `${code} (consequence of a change, ${severity} by default)`,
    '',
    sentence(what),
    ...(why === undefined ? [] : [`Why: ${sentence(why)}`]),
    ...(fix === undefined ? [] : [`Fix: ${sentence(fix)}`]),
    '',
    'See: docs/diff.md',
    '',
  ].join('\n');
}

const CONSEQUENCE_ENTRIES: ReadonlyMap<string, ConsequenceEntry> = new Map(Object.entries(CONSEQUENCES));

const CODES: readonly string[] = [...CATALOGUE.map(({ code }) => code), ...CONSEQUENCE_ENTRIES.keys()];

function severityOf({ code, severity }: CatalogueEntry): string {
  return Object.hasOwn(WARNING_CODES, code) ? `${severity}, can be acknowledged` : severity;
}

/**
 * All codes of findings by area, each on a line with its first cause there, followed by the codes of a diff's
 * consequences.
 */
export function explainAll(): string {
  const width = Math.max(...CODES.map(({ length }) => length));
  const line = (code: string, what: string) => `  ${code.padEnd(width)}  ${what}`;
  const rooms = CATALOGUES.toSorted((a, b) => (a.room < b.room ? -1 : 1)).map(({ room, findings }) => [
    room,
    ...firstCauses(findings).map(({ code, what }) => line(code, textWithNames(what))),
    '',
  ]);
  const consequences = [...CONSEQUENCE_ENTRIES].map(([code, { what }]) => line(code, what));
  return [...rooms, ['Consequences of a diff', ...consequences, '']].map((lines) => lines.join('\n')).join('\n');
}

function firstCauses(findings: FindingsRoom['findings']): readonly CatalogueEntry[] {
  const entries = entriesOf(findings);
  return entries.filter(({ code }, index) => entries.findIndex((one) => one.code === code) === index);
}

/** Returns the known code most similar to a string. */
export function nearestCode(text: string): string {
  return closest(text, CODES);
}
