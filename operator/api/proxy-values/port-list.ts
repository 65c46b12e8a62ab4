import type { Problem } from '../kubernetes/problem';
import { violationOf } from '../kubernetes/violation';

/** Checks a list of ports in a chart's values: ports and ranges of ports, separated by commas. */
export function checkPortList(field: string, list: string): readonly Problem[] {
  const wrong = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => !isPorts(entry));
  if (wrong.length === 0) return [];
  return [
    {
      code: 'port-list-refused',
      violates: violationOf('form', list),
      about: field,
      what: `${field} is "${list}", in which "${wrong.join('", "')}" is no port`,
      why: 'The programs that read it stop, or pass over the port',
      fix: 'list ports from 1 to 65535 and ranges, such as "3306,4000-4100"',
    },
  ];
}

function isPorts(entry: string): boolean {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(entry) ?? [];
  const [from, to] = [Number(first), Number(last)];
  return from >= 1 && from <= to && to <= 65_535;
}
