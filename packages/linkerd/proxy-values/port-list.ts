import type { Problem } from '#base/findings/problem';
import { PROXY_VALUE_FINDINGS } from './findings';

/** Checks a list of ports in a chart's values: ports and ranges of ports, separated by commas. */
export function checkPortList(field: string, list: string): readonly Problem[] {
  const wrong = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => !isPorts(entry));
  if (wrong.length === 0) return [];
  return [PROXY_VALUE_FINDINGS.portRefusedList({ field, list, wrong: `"${wrong.join('", "')}"` }, { about: field })];
}

function isPorts(entry: string): boolean {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(entry) ?? [];
  const [from, to] = [Number(first), Number(last)];
  return from >= 1 && from <= to && to <= 65_535;
}
