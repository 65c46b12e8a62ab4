import type { Problem } from './problem';

/**
 * Returns the problems of values that no other problem is about, which knows better why: none that is about the same
 * value, or about one that the value is in.
 */
export function unsaid(problems: readonly Problem[], others: readonly Pick<Problem, 'about'>[]): readonly Problem[] {
  const said = others.flatMap(({ about = [] }) => about);
  return problems.filter(({ about }) => about === undefined || !said.some((path) => isIn(path, about)));
}

function isIn(path: string, about: string): boolean {
  return path === about || about.startsWith(`${path}.`) || about.startsWith(`${path}[`);
}
