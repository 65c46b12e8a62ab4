import type { Problem } from '#base/findings/problem';
import { checkPort } from '#kubernetes/names';
import { LINKERD_FINDINGS } from './findings';

/**
 * Ports, and inclusive ranges of ports: `'4000-4100'`. An empty list means no ports, whatever the mesh's default is;
 * only the CNI plugin then keeps its own list of skipped ports.
 */
export type Ports = readonly (number | `${number}-${number}`)[];

/** The ports of proxies by default, in the chart linkerd-control-plane of all releases. */
export const DEFAULT_PORTS = { admin: 4191, control: 4190, inbound: 4143, outbound: 4140 } as const;

/** Formats the ports for Linkerd's annotations. */
export function portsText(ports: Ports): string {
  return ports.join(',');
}

/** Reads the ports of an annotation: numbers as numbers, any other part as a string. */
export function portsIn(text: string): readonly (number | string)[] {
  return text.split(',').map((part) => {
    const entry = part.trim();
    return /^[-+]?\d+(?:\.\d+)?$/.test(entry) ? Number(entry) : entry;
  });
}

/** Reports ports that Linkerd would drop, or fail on, when it sets up the pod. */
export function checkPorts(field: string, ports: Ports): readonly Problem[] {
  return ports.flatMap((port, index) => checkPortOrRange(`${field}[${index}]`, port));
}

/** Reports a port or range that Linkerd would drop, or fail on, when it sets up the pod. */
export function checkPortOrRange(field: string, port: Ports[number]): readonly Problem[] {
  return typeof port === 'number' ? checkPort(field, port) : checkRange(field, port);
}

/** Whether a port is among the ports. */
export function includesPort(ports: Ports, port: number): boolean {
  return ports.some((entry) => {
    const range = typeof entry === 'number' ? { from: entry, to: entry } : rangeOf(entry);
    return range !== undefined && range.from <= port && port <= range.to;
  });
}

function checkRange(field: string, text: string): readonly Problem[] {
  const range = rangeOf(text);
  if (range !== undefined && range.from <= range.to) {
    return [...checkPort(`The start of ${field}`, range.from), ...checkPort(`The end of ${field}`, range.to)];
  }
  return [LINKERD_FINDINGS.portRefusedRange({ field, text, example: meantPorts(text) ?? '4000-4100' })];
}

/** Separators of ranges in other notations: `4000 – 4100`, `4000:4100`, `4000..4100`. */
const BETWEEN = /\s*(?:\p{Pd}|:|\.{2,})\s*/gu;

/** Converts ports with other separators to the notation of Linkerd; undefined for other texts. */
function meantPorts(text: string): string | undefined {
  const parts = text
    .replace(BETWEEN, '-')
    .split(/[^\w.-]+/)
    .filter((part) => part !== '');
  const meant = parts.map((part) => {
    const { from, to } = rangeOf(part.includes('-') ? part : `${part}-${part}`) ?? { from: 0, to: 0 };
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    if (checkPort('', first).length > 0 || checkPort('', last).length > 0) return undefined;
    return part.includes('-') ? `${first}-${last}` : `${first}`;
  });
  return meant.length === 0 || meant.includes(undefined) ? undefined : meant.join(',');
}

function rangeOf(text: string): { readonly from: number; readonly to: number } | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  return from === undefined || to === undefined ? undefined : { from: Number(from), to: Number(to) };
}
