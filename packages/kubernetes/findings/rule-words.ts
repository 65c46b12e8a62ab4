import { type CatalogueEntry, type ParametersOf, type Text, textOf, textWithNames } from '#base/findings/catalogue';

interface RuleWords {
  /** The rule, as a clause that follows a colon: "it must not be empty". */
  readonly why: Text;
  /** The fix, as an imperative. */
  readonly fix: Text;
}

/** The words of rules, by name. */
export type RuleTable = Readonly<Record<string, RuleWords>>;

/** Returns the rules of which a finding names one, if its entry names their table; only those of the library do. */
export function rulesOf(entry: CatalogueEntry): RuleTable | undefined {
  return (entry as { readonly rules?: RuleTable }).rules;
}

/** Parameters that choose one of several fixes. */
export type FixCase = Readonly<Record<string, string>>;

/**
 * Returns the fix of an entry with the names of its parameters; each fix, if the entry names the cases in which they
 * differ.
 */
export function fixesWithNames(entry: CatalogueEntry, brackets?: readonly [string, string]): readonly string[] {
  const { cases = [{}] } = entry as { readonly cases?: readonly FixCase[] };
  return [...new Set(cases.map((given) => textWithNames(entry.fix, brackets, given)))];
}

/** The parameters of a finding: its rule, the place of the mistake, and what the words of the rule need. */
export type RuleParameters<Table extends RuleTable> = {
  readonly field: string;
  readonly rule: keyof Table & string;
} & Readonly<Record<string, string | number>>;

type Own<Words extends RuleWords> = Omit<ParametersOf<Words['why']> & ParametersOf<Words['fix']>, 'field' | 'value'>;

/** The arguments with which a rule is named: its own parameters, if it has any. */
export type RuleArguments<Words extends RuleWords> = keyof Own<Words> extends never ? [] : [parameters: Own<Words>];

/** Returns the two sentences of a finding that names a rule of a table. */
export function wordsOf<Table extends RuleTable>(table: Table) {
  const words = (of: 'why' | 'fix', parameters: RuleParameters<Table>, unknown: unknown) => {
    const known: RuleWords | undefined = table[parameters.rule];
    // The documentation has names instead of values: no rule has such a name.
    return known === undefined ? String(unknown) : textOf(known[of], parameters);
  };
  return {
    why: (parameters: RuleParameters<Table>) => words('why', parameters, parameters.rule),
    fix: (parameters: RuleParameters<Table>) => words('fix', parameters, parameters.remedy),
  };
}
