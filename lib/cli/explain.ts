import { closest } from 'fastest-levenshtein';
import { type CatalogueEntry, entriesOf, textWithNames } from '../../operator/api/kubernetes/catalogue';
import { sentence } from '../kubernetes/findings/problem';
import { LIFTED_ERRORS } from '../linkerd/warnings';
import { CATALOGUE, CATALOGUES, type FindingsRoom } from './catalogues';

/** Returns the entries of a code, one for each cause, for people to read; undefined if no finding has the code. */
export function explain(code: string): string | undefined {
  const causes = CATALOGUE.filter((entry) => entry.code === code);
  const [first] = causes;
  if (first === undefined) return undefined;
  const page = CATALOGUES.find(({ findings }) => entriesOf(findings).includes(first))?.page;
  const pages = [page, first.severity === 'warning' ? 'docs/operations.md#warnings' : undefined];
  return [
    `${code} (${severityOf(first)})`,
    '',
    ...causes.flatMap(({ what, why, fix }) => [
      sentence(textWithNames(what)),
      `Why: ${sentence(textWithNames(why))}`,
      `Fix: ${sentence(textWithNames(fix))}`,
      '',
    ]),
    `See: ${[...pages.filter((one) => one !== undefined), `docs/findings.md#${code}`].join(', ')}`,
    '',
  ].join('\n');
}

function severityOf({ code, severity }: CatalogueEntry): string {
  if (LIFTED_ERRORS.has(code)) return 'error, can be acknowledged';
  return severity === 'warning' ? 'warning, can be acknowledged' : severity;
}

/** All codes, each with its cause, or the first one, on a line, by room. */
export function explainAll(): string {
  const width = Math.max(...CATALOGUE.map(({ code }) => code.length));
  return CATALOGUES.toSorted((a, b) => (a.room < b.room ? -1 : 1))
    .map(({ room, findings }) =>
      [
        room,
        ...firstCauses(findings).map(({ code, what }) => `  ${code.padEnd(width)}  ${textWithNames(what)}`),
        '',
      ].join('\n'),
    )
    .join('\n');
}

function firstCauses(findings: FindingsRoom['findings']): readonly CatalogueEntry[] {
  const entries = entriesOf(findings);
  return entries.filter(({ code }, index) => entries.findIndex((one) => one.code === code) === index);
}

/** Returns the code that a text most likely stands for. */
export function nearestCode(text: string): string {
  return closest(
    text,
    CATALOGUE.map(({ code }) => code),
  );
}
