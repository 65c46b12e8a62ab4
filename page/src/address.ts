import type { Range, ViewState } from '#lib/review/report/page/state';
import { type Conditions, type NumericCondition, RANGES } from '#lib/review/report/simulate/conditions';

/** The cluster, and the differences from the default conditions, that an address selects. */
export interface Asked {
  readonly cluster?: string;
  readonly range?: Range;
  readonly laggards?: Conditions['laggards'];
  readonly asOperator?: boolean;
  readonly issued?: number;
  readonly conditions?: Partial<Conditions>;
}

/** Parses the fragment of an address, which may have any content. */
export function readHash(hash: string): Asked {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const numbers = Object.entries(RANGES).flatMap(([name, { min, max }]) => {
    const text = given.get(name);
    const value = Number(text);
    return text === null || text === '' || !Number.isFinite(value) ? [] : [[name, Math.min(max, Math.max(min, value))]];
  });
  const issued = Date.parse(given.get('issued') ?? '');
  const cluster = given.get('cluster');
  return {
    ...(cluster !== null && { cluster }),
    ...one('range', given, ['life', 'rotation', 'signing', 'fortnight'] as const),
    ...one('laggards', given, ['Report', 'Restart', 'Never'] as const),
    ...(given.get('who') === 'operator' && { asOperator: true }),
    ...(Number.isNaN(issued) ? {} : { issued }),
    ...(numbers.length > 0 && { conditions: Object.fromEntries(numbers) as Partial<Conditions> }),
  };
}

function one<Name extends string, Value extends string>(
  name: Name,
  given: URLSearchParams,
  known: readonly Value[],
): { readonly [Key in Name]?: Value } {
  const found = known.find((value) => value === given.get(name));
  return (found === undefined ? {} : { [name]: found }) as { readonly [Key in Name]?: Value };
}

/** Returns the fragment of an address that selects the same cluster and state. */
export function hashText(cluster: string, state: ViewState, first: ViewState): string {
  const text = new URLSearchParams({ cluster, range: state.range });
  for (const name of Object.keys(RANGES) as NumericCondition[]) {
    if (state.conditions[name] !== first.conditions[name]) text.set(name, String(state.conditions[name]));
  }
  if (state.conditions.laggards !== first.conditions.laggards) text.set('laggards', state.conditions.laggards);
  if (state.asOperator !== first.asOperator) text.set('who', 'operator');
  if (state.issued !== state.today && state.issued !== undefined) {
    text.set('issued', new Date(state.issued).toISOString().slice(0, 10));
  }
  return `#${text}`;
}
