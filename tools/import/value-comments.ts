import { isMap, type Value, type Values } from '#base/values';
import { memberKey, type Places, type ValuePlace } from './value-places';
import { noteOn } from './values-notes';

/** The length of the longest default that is written out, in characters. */
const MAX_LENGTH = 90;

const LONGER = '- a longer text or list in the chart';

const NONE = '- none';

const WIDTH = 110;

const MANY = '- depends on the value that contains it';

const MAX_DEFAULTS = 4;

/**
 * Returns the text of a module with a comment above each member that is a chart's value: its default and its note, if
 * it has one. In `source`, the compiler of schemas has printed one member, or the end of one, on each line.
 */
export function withValueComments(source: string, module: string, places: Places): string {
  const [, chart = ''] = module.split('/');
  let type = '';
  const path: string[] = [];
  const commented = source.split('\n').map((line) => {
    const [, exported] = /^export type (\w+) =/.exec(line) ?? [];
    if (exported !== undefined) {
      type = exported;
      path.length = 0;
    }
    const [, indent = '', quoted, name = quoted] = /^( +)(?:'([^']+)'|([\w$]+))\??:/.exec(line) ?? [];
    const comment =
      name === undefined ? undefined : commentOf(places.get(memberKey(module, type, [...path, name])) ?? [], chart);
    if (/\{$/.test(line) && exported === undefined) path.push(name ?? '');
    if (/^ +\}/.test(line)) path.pop();
    return comment === undefined ? line : `${commentLines(comment, indent)}\n${line}`;
  });
  return commented.join('\n');
}

interface Comment {
  readonly note?: string;
  readonly default?: string;
}

function commentOf(places: readonly ValuePlace[], chart: string): Comment | undefined {
  const said = new Set(places.flatMap(({ path }) => noteOn(chart, path) ?? []));
  // A member that stands for several values gets a note only if all of them have the same note.
  const [note] = said.size === 1 && places.every(({ path }) => noteOn(chart, path) !== undefined) ? said : [];
  const text = defaultOf(places);
  return note === undefined && text === undefined ? undefined : { note, default: text };
}

function defaultOf(places: readonly ValuePlace[]): string | undefined {
  const groups = [...Map.groupBy(newestFirst(places), defaultText)];
  const [first, ...others] = groups;
  if (first === undefined || groups.every(([text]) => text === undefined)) return undefined;
  if (others.length === 0) return first[0];
  if (groups.length > MAX_DEFAULTS) return MANY;
  const isOfReleases = new Set(places.map(({ path }) => path)).size === 1;
  const where = (group: readonly ValuePlace[]) => {
    const names = group.map(({ path, release }) => (isOfReleases ? release : `\`${path}\``));
    return [...new Set(names)].join(', ');
  };
  const texts = groups.map(([text, group]) => `${(text ?? NONE).replace(/^- /, '')} (${where(group)})`);
  const together = `- ${texts.join('; ')}`;
  return together.length > 4 * MAX_LENGTH ? MANY : together;
}

/** The default of one place: undefined for a map whose members have comments with their own defaults. */
export function defaultText({ value, whenAvailable, members }: ValuePlace): string | undefined {
  if (members === 'own') return undefined;
  const usual = shown(value) ?? NONE;
  const available = shown(whenAvailable);
  return available === undefined ? usual : `${usual}, with high availability ${available}`;
}

function shown(value: Value | undefined): string | undefined {
  const said = isMap(value) ? withoutEmpty(value) : value;
  if (said === undefined) return undefined;
  const text = typeof said === 'string' ? `'${said.replaceAll("'", "\\'")}'` : JSON.stringify(said);
  return text.length > MAX_LENGTH || text.includes('\n') ? LONGER : text;
}

function withoutEmpty(map: Values): Value | undefined {
  const entries = Object.entries(map)
    .map(([key, value]) => [key, isMap(value) && Object.keys(value).length > 0 ? withoutEmpty(value) : value] as const)
    .filter(([, value]) => value !== undefined && value !== null && value !== '');
  return entries.length === 0 && Object.keys(map).length > 0 ? undefined : (Object.fromEntries(entries) as Values);
}

/** Edge releases come before stable ones, and later releases before earlier ones. */
function newestFirst(places: readonly ValuePlace[]): readonly ValuePlace[] {
  const order = new Intl.Collator('en', { numeric: true });
  const rank = ({ release }: ValuePlace) => (release.startsWith('stable') ? 0 : 1);
  return [...places].sort((a, b) => rank(b) - rank(a) || order.compare(b.release, a.release));
}

function commentLines({ note, default: text }: Comment, indent: string): string {
  const tag = text === undefined ? [] : wrapped(`@default ${text}`);
  const lines = [
    ...(note === undefined ? [] : wrapped(note)),
    ...(note !== undefined && text !== undefined ? [''] : []),
    ...tag,
  ];
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/'));
  if (safe.length === 1) return `${indent}/** ${safe[0]} */`;
  return [`${indent}/**`, ...safe.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}`), `${indent} */`].join(
    '\n',
  );
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
