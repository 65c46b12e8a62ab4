import type { Time } from './time';
import { floorDivide } from './time';
import { type Budget, FunctionError } from './values';

/** The zones that count as UTC. They include `Local`, because no output may depend on the machine. */
const UTC_ZONES: ReadonlySet<string> = new Set(['', 'UTC', 'Local']);

/** Steps to load a zone, which is slow in Node.js. */
const STEPS_FOR_ZONE = 200;

/** Converts a time to a zone of the IANA database; to UTC if the zone does not exist. */
export function inZone(time: Time, zone: string, budget: Budget): Time {
  if (UTC_ZONES.has(zone)) return { ...time, offset: 0, zone: 'UTC' };
  budget.spend(STEPS_FOR_ZONE);
  const format = formatIn(zone);
  if (format === undefined) return { ...time, offset: 0, zone: 'UTC' };
  const milliseconds = Number(time.seconds) * 1000;
  if (Math.abs(milliseconds) > 8.64e15) throw new FunctionError(`the year is too far away for the zone ${zone}`);
  const parts = new Map(format.formatToParts(milliseconds).map(({ type, value }) => [type, value]));
  const field = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name) ?? 0);
  const local = Date.UTC(
    field('year'),
    field('month') - 1,
    field('day'),
    field('hour'),
    field('minute'),
    field('second'),
  );
  const offset = BigInt(local) / 1000n - floorDivide(BigInt(milliseconds), 1000n);
  return { ...time, offset: Number(offset), zone };
}

/** Names of zones that Node.js accepts, but the IANA database lacks. */
const OTHER_NAMES: ReadonlySet<string> = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
);

function formatIn(zone: string): Intl.DateTimeFormat | undefined {
  if (OTHER_NAMES.has(zone)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return isSpelledLike(zone, format.resolvedOptions().timeZone) ? format : undefined;
  } catch {
    return undefined;
  }
}

/** Go reads zones from files, whose names are case-sensitive; names in Node.js are not. */
function isSpelledLike(zone: string, canonical: string): boolean {
  return zone === canonical || (zone.toLowerCase() !== canonical.toLowerCase() && /^[A-Z]/.test(zone));
}
