import { RecentMap } from './recent-map';

/**
 * A function of a text, called once for each as long as it is asked for: clusters have most of their texts in common.
 */
export function byText<Result>(of: (text: string) => Result, large?: number): (text: string) => Result {
  const known = new RecentMap<{ readonly result: Result }>(({ length }) => length, large);
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.result;
    const result = of(text);
    known.set(text, { result });
    return result;
  };
}
