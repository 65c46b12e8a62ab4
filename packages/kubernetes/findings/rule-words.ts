import { type CatalogueEntry, type ParametersOf, type Text, textOf, textWithNames } from '#base/findings/catalogue';

interface RuleWords {
  /** The rule, as a clause that follows a colon: "it must not be empty". */
  readonly why: Text;
  /** The fix, as an imperative. */
  readonly fix: Text;
}

/** The words of rules, by name. */
export type RuleTable = Readonly<Record<string, RuleWords>>;

/** Returns the table of rules of an entry, if it has one. Only entries of the library do. */
export function rulesOf(entry: CatalogueEntry): RuleTable | undefined {
  return (entry as { readonly rules?: RuleTable }).rules;
}

/** Parameters that choose one of several fixes. */
export type FixCase = Readonly<Record<string, string>>;

/**
 * Returns the fixes of an entry with the names of its parameters: one for each case that the entry lists.
 */
export function fixesWithNames(entry: CatalogueEntry, brackets?: readonly [string, string]): readonly string[] {
  const { cases = [{}] } = entry as { readonly cases?: readonly FixCase[] };
  return [...new Set(cases.map((given) => textWithNames(entry.fix, brackets, given)))];
}

/** The parameters of a finding: its rule, the field, and the parameters in the text of the rule. */
export type RuleParameters<Table extends RuleTable> = {
  readonly field: string;
  readonly rule: keyof Table & string;
} & Readonly<Record<string, string | number>>;

type Own<Words extends RuleWords> = Omit<ParametersOf<Words['why']> & ParametersOf<Words['fix']>, 'field' | 'value'>;

/** The arguments for a rule: its own parameters, if it has any. */
export type RuleArguments<Words extends RuleWords> = keyof Own<Words> extends never ? [] : [parameters: Own<Words>];

/** Returns the functions for `why` and `fix` of a finding whose rule is in a table. */
export function wordsOf<Table extends RuleTable>(table: Table) {
  const words = (of: 'why' | 'fix', parameters: RuleParameters<Table>, unknown: unknown) => {
    const known: RuleWords | undefined = table[parameters.rule];
    // The documentation passes names of parameters instead of values, and no rule has such a name.
    return known === undefined ? String(unknown) : textOf(known[of], parameters);
  };
  return {
    why: (parameters: RuleParameters<Table>) => words('why', parameters, parameters.rule),
    fix: (parameters: RuleParameters<Table>) => words('fix', parameters, parameters.remedy),
  };
}
