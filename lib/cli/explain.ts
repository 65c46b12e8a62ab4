import { closest } from 'fastest-levenshtein';
import { type CatalogueEntry, entriesOf, textWithNames } from '../../operator/api/kubernetes/catalogue';
import { sentence } from '../kubernetes/findings/problem';
import { LIFTED_ERRORS } from '../kubernetes/findings/warning';
import { CATALOGUE, CATALOGUES } from './catalogues';

/** Returns the entry of a code, for people to read; undefined if no finding has the code. */
export function explain(code: string): string | undefined {
  const room = CATALOGUES.find(({ findings }) => entriesOf(findings).some((entry) => entry.code === code));
  const entry = room && entriesOf(room.findings).find((one) => one.code === code);
  if (entry === undefined) return undefined;
  const pages = [room?.page, entry.severity === 'warning' ? 'docs/operations.md#warnings' : undefined];
  return [
    `${code} (${severityOf(entry)})`,
    '',
    sentence(textWithNames(entry.what)),
    '',
    `Why: ${sentence(textWithNames(entry.why))}`,
    `Fix: ${sentence(textWithNames(entry.fix))}`,
    `See: ${[...pages.filter((page) => page !== undefined), `docs/findings.md#${code}`].join(', ')}`,
    '',
  ].join('\n');
}

function severityOf({ code, severity }: CatalogueEntry): string {
  if (LIFTED_ERRORS.has(code)) return 'error, can be acknowledged';
  return severity === 'warning' ? 'warning, can be acknowledged' : severity;
}

/** All codes with their causes, one a line, by room. */
export function explainAll(): string {
  const width = Math.max(...CATALOGUE.map(({ code }) => code.length));
  return CATALOGUES.toSorted((a, b) => (a.room < b.room ? -1 : 1))
    .map(({ room, findings }) =>
      [
        room,
        ...entriesOf(findings).map(({ code, what }) => `  ${code.padEnd(width)}  ${textWithNames(what)}`),
        '',
      ].join('\n'),
    )
    .join('\n');
}

/** Returns the code that a text most likely stands for. */
export function nearestCode(text: string): string {
  return closest(
    text,
    CATALOGUE.map(({ code }) => code),
  );
}
